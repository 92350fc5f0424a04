/** Names of the two streams (specification, section 2.6) and of their consumer groups. */
export const inboundStream = 'events.inbound.webhooks'
export const jobsStream = 'jobs.sync'
export const inboundGroup = 'webhook-handler'
export const jobsGroup = 'sync-worker'

/** Life of a done marker: 7 days (specification, section 8). A job marker lives as long. */
export const markerTtlSeconds = 604_800

/** Life of a dead entry: 30 days. */
export const deadTtlSeconds = 2_592_000

/** Names the stream that keeps the entries of `stream` that nobody can handle. */
export function deadStreamOf (stream: string): string {
  return `${stream}.dead`
}

/** Identifies an inbound event: the key of its done marker, and of the job that it starts. */
export function eventKey ({ provider, connectionId, eventId }: {
  provider: string,
  connectionId: string,
  eventId: string
}): string {
  return `webhook:${provider}:${connectionId}:${eventId}`
}

export function jobMarkerKey (idempotencyKey: string): string {
  return `jobdedup:${idempotencyKey}`
}

/**
 * The fields of one entry, in the order in which they are written. A value may hold any character
 * except half of a surrogate pair, because Redis stores UTF-8. JSON text escapes such a half, so
 * JSON text is safe.
 */
export type Fields = Readonly<Record<string, string>>

export interface Entry {
  /** `milliseconds-sequence` on Redis, a decimal number on tables. */
  id: string
  fields: Fields
  /**
   * How often the stream handed this entry to a consumer, this time included. 0: `readAhead` only
   * showed the entry, and the stream hands it out later.
   */
  deliveries: number
}

export interface InboundEvent {
  provider: string
  connectionId: string
  eventId: string
  /**
   * Version of the connection that the caller checked. When the stored version differs, the stream
   * answers `stale` and publishes nothing.
   */
  epoch: number
  fields: Fields
}

/**
 * On `stale`, load the connection again, call `setEpoch` and publish once more. A second `stale`
 * means that the connection changed meanwhile.
 */
export type PublishResult = 'published' | 'duplicate' | 'stale'

export interface JobMessage {
  idempotencyKey: string
  fields: Fields
}

export interface ReadRequest {
  stream: string
  group: string
  consumer: string
  count: number
  blockMs: number
  signal: AbortSignal
}
export interface AheadRequest {
  stream: string
  group: string
  consumer: string
}
export interface ClaimRequest {
  stream: string
  group: string
  consumer: string
  count: number
  minIdleMs: number
}
export interface DeadLetter {
  stream: string
  group: string
  id: string
  reason: string
  deliveries: number
}

/** The messages of a stream that nobody could handle. */
export interface DeadMessages {
  stream: string
  count: number
  /** When the last of them died, ISO 8601. */
  lastAt: string
  /** Why the last of them died. */
  reason: string
}

/** How far one look behind the head of a backlog goes. */
export const ahead = {
  /** Entries looked at. */
  window: 2_000,
  /**
   * After a look reached the end of the backlog, the looks begin behind the head again this much
   * later: the head may serve other connections by then.
   */
  againSeconds: 5,
  /** Most entries in one answer. Connections with the fewest entries come first. */
  most: 200,
  /** The head: the entries that are handed out next. */
  head: 100,
  /**
   * A connection with more entries than this at the head is being served, so the look brings none
   * of its entries forward.
   */
  served: 10
}

/** The part of a logger that the drivers use. */
export interface StreamLog {
  warn(fields: object, message: string): void
}

/** A server that may lose events, or takes none. */
export interface ServerWarning {
  about: 'version' | 'role' | 'settings'
  message: string
}

/**
 * Both streams, on Redis or on tables, with the same observable behaviour; one contract suite runs
 * against every driver. An infrastructure failure rejects the call, and a repeat completes whatever
 * the failed call left half done.
 */
export interface StreamPort {
  /**
   * Writes marker and entry in one step: after `published` both exist, and after a rejection a
   * repeat is harmless. A marker in state `processing` makes the event a duplicate.
   */
  publishEvent(event: InboundEvent): Promise<PublishResult>
  /**
   * The same for events of one connection and version, all in one step: after a rejection, a repeat
   * publishes all of them or finds them. Of two events with one id, the second is a duplicate.
   */
  publishEvents(events: readonly InboundEvent[]): Promise<PublishResult[]>
  /**
   * Makes `epoch` the current version of a connection for every process. A version lower than the
   * known one changes nothing: a process that read the connection before another process changed it
   * cannot undo that change.
   */
  setEpoch(connectionId: string, epoch: number): Promise<void>
  /**
   * Does hop two in one step: sets the job marker if absent, writes the entry to `jobs.sync` and
   * acknowledges `source`. Returns the id of the job's entry; for a known key that is the existing
   * entry.
   */
  enqueueJob(
    message: JobMessage,
    source?: { stream: string, group: string, id: string }
  ): Promise<{ isNew: boolean, id: string }>
  /**
   * Makes the group, at the beginning of the stream, unless it exists. Tables carry one group per
   * stream and refuse a second.
   */
  ensureGroup(stream: string, group: string): Promise<void>
  /**
   * Hands out entries that no consumer has had yet. Waits up to `blockMs` for the first one, then
   * answers `[]`. When the signal aborts, the read answers at once, possibly with entries that the
   * server handed out at that moment: handle those.
   */
  read(request: ReadRequest): Promise<Entry[]>
  /**
   * Returns entries from behind the head of a backlog, so that thousands of entries of one
   * connection do not delay the other connections. Goes through the next `ahead.window` entries
   * that no consumer has had, beginning where the last call ended. Returns up to `ahead.most` of
   * them, only of connections that the head does not serve. The driver on tables hands these
   * entries out. Redis cannot hand out an entry before its turn, so its driver only shows them
   * (`deliveries` 0) and hands them out later in their turn. `isEnd`: no more entries follow.
   */
  readAhead(request: AheadRequest): Promise<{ entries: Entry[], isEnd: boolean }>
  /**
   * Claims up to `count` entries that a consumer took and then left alone for `minIdleMs`. Searches
   * the whole pending list. Call it again until it answers `[]`.
   */
  claimIdle(request: ClaimRequest): Promise<Entry[]>
  acknowledge(stream: string, group: string, ids: readonly string[]): Promise<void>
  /**
   * Copies a pending entry to `<stream>.dead`, with its origin and the reason, and acknowledges it.
   * A repeat does nothing.
   */
  deadLetter(entry: DeadLetter): Promise<void>
  /** What `deadLetter` has moved and is still there, of each stream that has some. */
  listDead(): Promise<DeadMessages[]>
  /**
   * Counts the entries in the stream, including acknowledged entries that `maintain` has not
   * removed.
   */
  length(stream: string): Promise<number>
  /**
   * Removes entries that every group has acknowledged and that are older than the markers, dead
   * entries after 30 days, and silent consumers that own nothing. Redis also removes younger
   * acknowledged entries when they are too many or too large. Never removes an entry that a group
   * has not acknowledged.
   */
  maintain(): Promise<void>
  /**
   * Bytes by name. Redis reports the memory of each stream; tables report the one table that holds
   * all streams.
   */
  sizes(): Promise<ReadonlyMap<string, number>>
  /**
   * Warnings about how the server is set up (persistence, eviction); empty when it loses nothing.
   */
  inspect(): Promise<ServerWarning[]>
  /** Writes something small that nobody reads. Rejects when the server takes no writes. */
  touch(): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}
