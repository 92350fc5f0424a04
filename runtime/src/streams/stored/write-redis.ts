import type { Redis } from 'ioredis'
import { inboundStream, type Fields } from '../port.ts'
import { deadStreams, liveStreams, markerStreams, type MessageRow } from './message.ts'

const scanCount = 1_000
/** The hub also keeps the version of each connection in Redis, and restores it when it is gone. */
const ownPrefixes = [...markerStreams.map(([prefix]) => prefix), 'linker:connection-epoch:', 'linker:ahead:']
const streams = [...liveStreams, ...deadStreams]

/** Names what a hub has left in Redis; undefined when there is nothing. */
export async function findRedisContents (redis: Redis): Promise<string | undefined> {
  for (const stream of streams) {
    const length = await redis.exists(stream) === 0 ? 0 : await redis.xlen(stream)
    if (length > 0) return `${length} entries in ${stream}`
  }
  for await (const [key] of ownKeys(redis)) if (key !== undefined) return `the key ${key}`
  return undefined
}

/** Writes messages: those that wait and dead ones into their streams, keys as markers. */
export async function writeRedisMessages (redis: Redis, rows: readonly MessageRow[], now: Date): Promise<void> {
  const ids = await Promise.all(rows.map(row => isMarkerOnly(row) ? undefined : add(redis, row)))
  await Promise.all(rows.map(([stream, key, , , , expiresAt], index) => {
    const lifeMs = Date.parse(expiresAt) - now.getTime()
    if (key === null || lifeMs <= 0) return undefined
    return redis.set(key, stream === inboundStream ? 'done' : ids[index] ?? '0-0', 'PX', lifeMs)
  }))
}

/** Removes what `writeRedisMessages` wrote into a Redis that was empty. */
export async function clearRedis (redis: Redis): Promise<void> {
  await redis.unlink(...streams)
  for await (const keys of ownKeys(redis)) if (keys.length > 0) await redis.unlink(...keys)
}

function isMarkerOnly ([stream, , , , , , ackedAt]: MessageRow): boolean {
  return ackedAt !== null && !deadStreams.includes(stream)
}

/** Redis takes no entry without fields, and nobody could handle one. */
async function add (redis: Redis, [stream, , fields]: MessageRow): Promise<string | null> {
  const parts = Object.entries(JSON.parse(fields) as Fields).flat()
  return parts.length === 0 ? null : redis.xadd(stream, '*', ...parts)
}

async function* ownKeys (redis: Redis): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'COUNT', scanCount)
    cursor = next
    yield keys.filter(key => ownPrefixes.some(prefix => key.startsWith(prefix)))
  } while (cursor !== '0')
}
