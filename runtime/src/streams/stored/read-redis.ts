import type { Redis } from 'ioredis'
import { inboundGroup, inboundStream, jobsGroup, jobsStream, markerTtlSeconds } from '../port.ts'
import { toFields } from '../redis-entries.ts'
import { deadStreams, markerStreams, rowOfEntry, rowOfMarker, type MessageRow } from './message.ts'

type RedisEntry = [id: string, parts: string[]]

const pageSize = 100
const scanCount = 1_000

/**
 * Reads every message that waits in Redis, every dead one and every marker, page by page, while
 * hubs go on working. Reads in the direction in which a message moves, and the markers before all:
 *
 *     markers ──▶ events.inbound.webhooks ──▶ jobs.sync ──▶ dead streams ──▶ (the caller) tables
 *
 * A message that moves on meanwhile is found twice, which is harmless: its job exists once. In
 * another order it would be missed, or its marker would refuse the sender's repetition.
 */
export async function* readRedisMessages (redis: Redis, now: Date): AsyncGenerator<MessageRow[]> {
  yield* readMarkers(redis, now)
  yield* readWaiting(redis, inboundStream, inboundGroup)
  yield* readWaiting(redis, jobsStream, jobsGroup)
  for (const stream of deadStreams) {
    for await (const page of pagesOf(redis, stream, '-', '+')) yield page.map(entry => toRow(stream, entry))
  }
}

async function* readMarkers (redis: Redis, now: Date): AsyncGenerator<MessageRow[]> {
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'COUNT', scanCount)
    cursor = next
    const markers = keys.flatMap(key => {
      const stream = markerStreams.find(([prefix]) => key.startsWith(prefix))?.[1]
      return stream === undefined ? [] : [{ key, stream }]
    })
    const lives = await Promise.all(markers.map(({ key }) => redis.pttl(key)))
    const rows = markers.flatMap(({ key, stream }, index) => {
      const life = lives[index] ?? gone
      return life === gone ? [] : [rowOfMarker(stream, key, now, now.getTime() + lifeOf(life))]
    })
    if (rows.length > 0) yield rows
  } while (cursor !== '0')
}

/** Redis answers this for a key that does not exist any more. */
const gone = -2

/** A marker that somebody set by hand may have no end. */
function lifeOf (pttl: number): number {
  return pttl < 0 ? markerTtlSeconds * 1_000 : pttl
}

/** Entries that no consumer has acknowledged, up to the one that is the last at the beginning. */
async function* readWaiting (redis: Redis, stream: string, group: string): AsyncGenerator<MessageRow[]> {
  const place = await placeOf(redis, stream, group)
  if (place === undefined) return
  for await (const page of pagesOf(redis, stream, place.from, place.to)) {
    const pending = new Set(await idsOfPending(redis, stream, group, page))
    const waiting = page.filter(([id]) => pending.has(id) || isAfter(id, place.delivered))
    if (waiting.length > 0) yield waiting.map(entry => toRow(stream, entry))
  }
}

interface Place {
  from: string
  to: string
  /** The last entry that the group got. */
  delivered: string
}

async function placeOf (redis: Redis, stream: string, group: string): Promise<Place | undefined> {
  if (await redis.exists(stream) === 0) return undefined
  const last = fieldsOf(await redis.xinfo('STREAM', stream)).get('last-generated-id')
  const groups = await redis.xinfo('GROUPS', stream) as unknown[]
  const found = groups.map(fieldsOf).find(fields => fields.get('name') === group)
  // Without its group nothing was delivered: a hub that starts makes the group at the beginning.
  const delivered = String(found?.get('last-delivered-id') ?? '0-0')
  const [, smallest] = found === undefined ? [] : await redis.xpending(stream, group) as [number, string | null]
  return { from: smallest ?? `(${delivered}`, to: String(last), delivered }
}

async function idsOfPending (
  redis: Redis,
  stream: string,
  group: string,
  page: readonly RedisEntry[]
): Promise<string[]> {
  const [first, last] = [page[0]?.[0] ?? '-', page.at(-1)?.[0] ?? '+']
  try {
    return (await redis.xpending(stream, group, first, last, pageSize) as [string][]).map(([id]) => id)
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('NOGROUP')) return []
    throw error
  }
}

async function* pagesOf (redis: Redis, stream: string, from: string, to: string): AsyncGenerator<RedisEntry[]> {
  let begin = from
  while (true) {
    const page = await redis.xrange(stream, begin, to, 'COUNT', pageSize)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (last[0] === to) return
    begin = `(${last[0]}`
  }
}

function toRow (stream: string, [id, parts]: RedisEntry): MessageRow {
  return rowOfEntry(stream, toFields(parts), Number(id.split('-')[0]))
}

function fieldsOf (reply: unknown): Map<string, unknown> {
  const parts = reply as unknown[]
  return new Map(parts.flatMap((part, index) => index % 2 === 0 ? [[String(part), parts[index + 1]]] : []))
}

function isAfter (id: string, other: string): boolean {
  const [ms = 0n, sequence = 0n] = id.split('-').map(BigInt)
  const [otherMs = 0n, otherSequence = 0n] = other.split('-').map(BigInt)
  return ms === otherMs ? sequence > otherSequence : ms > otherMs
}
