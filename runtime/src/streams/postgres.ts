import type { Database, Query } from '../database/database.ts'
import { isUuid } from '../text-patterns.ts'
import { oneByOneOnError, repeat } from './batch-repeats.ts'
import { createBatch } from './batch.ts'
import { createBell, createBellRinger } from './bell.ts'
import {
  ahead,
  deadStreamOf,
  deadTtlSeconds,
  eventKey,
  inboundStream,
  jobMarkerKey,
  jobsStream,
  type AheadRequest,
  type ClaimRequest,
  type DeadMessages,
  type DeadLetter,
  type Entry,
  type Fields,
  type InboundEvent,
  type JobMessage,
  type PublishResult,
  type ReadRequest,
  type ServerWarning,
  type StreamLog,
  type StreamPort
} from './port.ts'
import * as statements from './statements.ts'

interface MessageRow {
  id: string
  fields: string
  deliveries: number
}
interface EnqueueRow {
  id: string | null
  isNew: boolean
  isExpired: boolean
}
interface EnqueueItem {
  message: JobMessage
  source?: { stream: string, group: string, id: string }
}

/**
 * The place that the last look behind the head reached, and the time when the looks begin again.
 */
interface Place {
  lookedAt: bigint
  againAtMs: number
}
type AheadRow = (MessageRow | { id: null }) & { seen: number, last: string | null }

const pollMs = 1_000
/** The sender of a webhook gives up after 5 s, so the hub answers before that. */
const publishWaitMs = 4_000
const removeLimit = 1_000
const removeRuns = 100
const vacuumEveryWrites = 20_000
const vacuumShare = 0.1
/**
 * PostgreSQL gives an id before the commit, so a lower id may become visible after a higher one.
 * After a look reached the end, the next look therefore begins this many ids earlier.
 */
const lateIds = 500n

/**
 * The streams on the table `stream_messages`, one consumer group each. A message is its own marker:
 * its key is unique until it expires. `publishEvent` reads the version in the table `connections`,
 * so `setEpoch` has nothing to do.
 */
export function createTableStreams ({ database, log }: { database: Database, log: StreamLog }): StreamPort {
  const { query, publish } = database
  const ring = createBellRinger(() => {
    database.notify('streams')
  })
  const groups = new Map<string, string>()
  const places = new Map<string, Place>()
  // The embedded database runs one statement at a time.
  const batchLimits = { maxItems: 128, maxRunning: database.mode === 'embedded' ? 1 : 3, maxWaiting: 10_000 }
  // Nobody counted those of earlier processes, so the first maintenance vacuums.
  let writes = Number.POSITIVE_INFINITY

  const publishes = createBatch({ ...batchLimits, maxWaitMs: publishWaitMs, run: oneByOneOnError(publishAll, log) })
  // A list is stored whole or not at all, so it shares no statement with other events.
  const lists = createBatch({
    ...batchLimits,
    maxItems: 1,
    maxWaitMs: publishWaitMs,
    run: (items: readonly (readonly InboundEvent[])[]) => Promise.all(items.map(publishAll))
  })
  const enqueues = createBatch({ ...batchLimits, run: oneByOneOnError(enqueueAll, log) })

  function wrote (count: number): void {
    writes += count
    ring()
  }

  async function publishAll (events: readonly InboundEvent[]): Promise<PublishResult[]> {
    if (events.length === 0) return []
    const keys = events.map(eventKey)
    const rows = await publish<{ result: PublishResult }>(statements.publish, [
      inboundStream,
      events.map(event => event.connectionId),
      events.map(event => event.epoch),
      keys,
      toJsonArray(events)
    ])
    const results = rows.map(row => row.result)
    if (results.includes('published')) wrote(events.length)
    const released = await release(publish, inboundStream, keys.filter((_, index) => results[index] === 'duplicate'))
    return repeat(
      events,
      results,
      (index, result) => result === 'duplicate' && released.has(keys[index] ?? ''),
      publishAll
    )
  }

  async function enqueueAll (items: readonly EnqueueItem[]): Promise<{ isNew: boolean, id: string }[]> {
    const keys = items.map(({ message }) => jobMarkerKey(message.idempotencyKey))
    const rows = await query<EnqueueRow>(statements.enqueue, [
      jobsStream,
      keys,
      toJsonArray(items.map(({ message }) => message)),
      items.map(({ source }) => source?.id ?? null),
      items.map(({ message }) => message.fields.connectionId ?? null)
    ])
    if (rows.some(row => row.isNew)) wrote(items.length)
    await release(query, jobsStream, keys.filter((_, index) => rows[index]?.isExpired))
    const results = rows.map(({ id, isNew }) => ({ isNew, id: id ?? '' }))
    return repeat(items, results, (index, { id }) => id === '' || rows[index]?.isExpired === true, enqueueAll)
  }

  async function release (run: Query, stream: string, keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set()
    const rows = await run<{ key: string }>(statements.releaseExpiredKeys, [stream, keys])
    return new Set(rows.map(row => row.key))
  }

  async function handOut (statement: string, values: readonly unknown[]): Promise<Entry[]> {
    const rows = await query<MessageRow>(statement, values)
    return rows.map(({ id, fields, deliveries }) => ({ id, fields: parseFields(fields), deliveries })).toSorted((
      a,
      b
    ) => compareIds(a.id, b.id))
  }

  async function read ({ stream, consumer, count, blockMs, signal }: ReadRequest): Promise<Entry[]> {
    const end = performance.now() + blockMs
    const bell = createBell(database, signal)
    try {
      while (!signal.aborted) {
        bell.reset()
        const entries = await handOut(statements.take, [stream, consumer, count])
        const remainingMs = end - performance.now()
        if (entries.length > 0 || remainingMs <= 0) return entries
        await bell.rung(Math.min(remainingMs, pollMs))
      }
      return []
    } finally {
      bell.close()
    }
  }

  async function readAhead ({ stream, consumer }: AheadRequest): Promise<{ entries: Entry[], isEnd: boolean }> {
    const { head, served, window, most, againSeconds } = ahead
    const place = placeOf(stream)
    const rows = await query<AheadRow>(statements.takeAhead, [
      stream,
      consumer,
      String(place.lookedAt),
      head,
      served,
      window,
      most
    ])
    const [{ seen, last } = { seen: 0, last: null }] = rows
    const isEnd = seen < window
    if (last !== null) place.lookedAt = BigInt(last) - (isEnd ? lateIds : 0n)
    if (!isEnd) place.againAtMs = Number.POSITIVE_INFINITY
    else place.againAtMs = Math.min(place.againAtMs, performance.now() + againSeconds * 1_000)
    places.set(stream, place)
    const entries = rows.flatMap(row =>
      row.id === null ? [] : { id: row.id, fields: parseFields(row.fields), deliveries: row.deliveries }
    )
    return { entries: entries.toSorted((a, b) => compareIds(a.id, b.id)), isEnd }
  }

  function placeOf (stream: string): Place {
    const place = places.get(stream)
    return place === undefined || performance.now() >= place.againAtMs
      ? { lookedAt: 0n, againAtMs: Number.POSITIVE_INFINITY }
      : { ...place }
  }

  async function deadLetter ({ stream, id, reason, deliveries }: DeadLetter): Promise<void> {
    const [row] = await query<{ fields: string }>(statements.findFields, [stream, id])
    const origin = { sourceStream: stream, sourceId: id, reason, deliveries: String(deliveries) }
    // The origin comes first for its place in the order, and again last: otherwise a message could
    // forge it with a field of the same name.
    const fields = { ...origin, ...(row === undefined ? {} : parseFields(row.fields)), ...origin }
    await query(statements.deadLetter, [stream, id, deadStreamOf(stream), JSON.stringify(fields), deadTtlSeconds])
  }

  async function maintain (): Promise<void> {
    for (let run = 0; run < removeRuns; run++) {
      const [row] = await query<{ removed: number }>(statements.removeExpired, [removeLimit])
      writes += row?.removed ?? 0
      if (row === undefined || row.removed < removeLimit) break
    }
    // PGlite has no autovacuum, and dead rows slow every look at the queue. All other statements
    // wait while PGlite vacuums, so the hub vacuums only after many writes.
    if (database.mode === 'postgres' || writes < vacuumEveryWrites + await countRows() * vacuumShare) return
    const counted = writes
    writes = 0
    await database.patiently(() => query('vacuum (analyze) stream_messages')).catch((error: unknown) => {
      writes += counted
      throw error
    })
  }

  async function countRows (): Promise<number> {
    const [row] = await query<
      { rows: number }
    >("select greatest(reltuples, 0)::float8 as rows from pg_class where oid = 'stream_messages'::regclass")
    return row?.rows ?? 0
  }

  async function inspect (): Promise<ServerWarning[]> {
    if (database.mode === 'embedded') return []
    const rows = await query<
      { name: string }
    >("select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = " +
      "'off' order by name")
    return rows.map(({ name }) => ({
      about: 'settings',
      message: `PostgreSQL has ${name} off: accepted events are lost when it crashes; set ${name} to on`
    }))
  }

  return {
    publishEvent: event => isUuid(event.connectionId) ? publishes.add(event) : Promise.resolve('stale'),
    publishEvents: async events =>
      events.every(event => isUuid(event.connectionId)) ? lists.add(events) : events.map(() => 'stale'),
    async setEpoch () {},
    enqueueJob: (message, source) => enqueues.add(source === undefined ? { message } : { message, source }),
    async ensureGroup (stream, group) {
      const known = groups.get(stream) ?? group
      groups.set(stream, known)
      if (known !== group) {
        throw new TypeError(`Stream '${stream}' is read by group '${known}'. On tables a stream has one group; ` +
          `'${group}' cannot join`)
      }
    },
    read,
    readAhead,
    claimIdle: ({ stream, consumer, count, minIdleMs }: ClaimRequest) =>
      handOut(statements.claim, [stream, consumer, count, minIdleMs]),
    async acknowledge (stream, _group, ids) {
      if (ids.length > 0) await query(statements.acknowledge, [stream, ids])
    },
    deadLetter,
    async listDead () {
      const dead = await query<DeadMessages>(statements.selectDead)
      return [inboundStream, jobsStream].flatMap(stream =>
        dead.filter(found => found.stream === deadStreamOf(stream)).map(found => ({ ...found, stream }))
      )
    },
    async length (stream) {
      const [row] = await query<{ length: number }>(
        'select count(*)::int as length from stream_messages where stream = $1',
        [stream]
      )
      return row?.length ?? 0
    },
    maintain,
    async sizes () {
      const [row] = await query<{ bytes: number }>("select pg_total_relation_size('stream_messages')::float8 as bytes")
      return new Map([['stream_messages', row?.bytes ?? 0]])
    },
    inspect,
    async touch () {
      await publish(statements.touch)
    },
    ping: () => database.ping(),
    async close () {
      await Promise.all([publishes.drained(), lists.drained(), enqueues.drained()])
    }
  }
}

/** JSON as text: PostgreSQL refuses the NUL character in jsonb and in `->>`. */
function toJsonArray (messages: readonly { fields: Fields }[]): string {
  return JSON.stringify(messages.map(({ fields }) => fields))
}

function parseFields (text: string): Fields {
  return JSON.parse(text) as Fields
}

function compareIds (a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}
