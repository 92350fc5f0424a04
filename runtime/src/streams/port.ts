/** Names of the two streams (specification, section 2.6) and of their consumer groups. */
export const inboundStream = 'events.inbound.webhooks'
export const jobsStream = 'jobs.sync'
export const inboundGroup = 'webhook-handler'
export const jobsGroup = 'sync-worker'

/** Life of a done marker: 7 days (specification, section 8). A job marker lives as long. */
export const markerTtlSeconds = 604_800

/** Life of a dead entry: 30 days. */
export const deadTtlSeconds = 2_592_000

/** Where the entries of a stream go that nobody can handle. */
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
 * The fields of one entry, in the order in which they are written. Values are strings of any
 * characters; only half of a surrogate pair is not one (Redis stores UTF-8), and in JSON text it is
 * escaped anyway.
 */
export type Fields = Readonly<Record<string, string>>

export interface Entry {
  /** `milliseconds-sequence` on Redis, a decimal number on tables. */
  id: string
  fields: Fields
  /**
   * How often it was handed to a consumer, this time included. 0: it was only shown, and its turn
   * is still to come.
   */
  deliveries: number
}

export interface InboundEvent {
  provider: string
  connectionId: string
  eventId: string
  /**
   * Version of the connection that the caller checked. Another one stored for it makes the answer
   * `stale` and publishes nothing.
   */
  epoch: number
  fields: Fields
}

/**
 * `stale`: load the connection again, `setEpoch`, and publish once more; stale again means that it
 * changed meanwhile.
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

/** How far one look behind the head of a backlog goes. */
export const ahead = {
  /** Entries looked at. */
  window: 2_000,
  /**
   * After the end was reached the look begins again behind the head, which may serve others by
   * then.
   */
  againSeconds: 5,
  /** Entries answered: those of the rarest connections first. */
  most: 200,
  /** The head: the entries that are handed out next. */
  head: 100,
  /**
   * A connection with more entries than this at the head is being served; nothing is brought
   * forward for it.
   */
  served: 10
}

/** The part of a logger that the drivers use. */
export interface StreamLog {
  warn(fields: object, message: string): void
}

/** A server that may lose events. */
export interface ServerWarning {
  about: 'version' | 'settings'
  message: string
}

/**
 * Both streams, on Redis or on tables, with the same observable behaviour; one contract suite runs
 * against every driver. Infrastructure failures reject; nothing is half done then that a repeat
 * would not complete.
 */
export interface StreamPort {
  /**
   * Marker and entry in one step: after an answer of `published` both exist, after a rejection a
   * repeat is harmless. A marker in state `processing` counts as a duplicate.
   */
  publishEvent(event: InboundEvent): Promise<PublishResult>
  /**
   * Makes `epoch` the current version of a connection for every process. A lower one than is known
   * changes nothing, so a process that read before another wrote cannot undo it.
   */
  setEpoch(connectionId: string, epoch: number): Promise<void>
  /**
   * Hop two in one step: job marker set if absent, entry on `jobs.sync`, acknowledgement of
   * `source`. Answers the id of the job's entry, an existing one when the key is known.
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
   * Entries never handed out, waiting up to `blockMs` for the first; `[]` at the end of the wait.
   * When the signal aborts it answers at once, and with the entries that were handed out in that
   * very moment: handle them.
   */
  read(request: ReadRequest): Promise<Entry[]>
  /**
   * Entries from behind the head of a backlog, so that the thousands of one connection do not delay
   * the others: goes through the next `ahead.window` entries that were handed to nobody, from where
   * the last call ended, and answers up to `ahead.most` of connections that the head does not
   * serve. Tables hand them out. Redis cannot hand out of turn, so it shows them (`deliveries` 0)
   * and hands them out again in their turn. `isEnd`: nothing lies behind.
   */
  readAhead(request: AheadRequest): Promise<{ entries: Entry[], isEnd: boolean }>
  /**
   * Up to `count` entries that some consumer took and left for `minIdleMs`, searched for in the
   * whole pending list. Call again until `[]`.
   */
  claimIdle(request: ClaimRequest): Promise<Entry[]>
  acknowledge(stream: string, group: string, ids: readonly string[]): Promise<void>
  /**
   * Copies a pending entry to `<stream>.dead` with where it came from and why, and acknowledges it.
   * A repeat does nothing.
   */
  deadLetter(entry: DeadLetter): Promise<void>
  /** Entries in the stream, acknowledged ones that still stand there included. */
  length(stream: string): Promise<number>
  /**
   * Removes what every group has acknowledged and is older than the markers, dead entries after 30
   * days, and consumers that own nothing. On Redis also younger entries, when they are too many or
   * too large. Never an un-acked entry.
   */
  maintain(): Promise<void>
  /**
   * Bytes by name: on Redis of each stream in memory, on tables of the one table that carries them
   * all.
   */
  sizes(): Promise<ReadonlyMap<string, number>>
  /**
   * Warnings about how the server is set up (persistence, eviction); empty when it loses nothing.
   */
  inspect(): Promise<ServerWarning[]>
  ping(): Promise<void>
  close(): Promise<void>
}
