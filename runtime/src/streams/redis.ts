import { ReplyError } from 'ioredis'
import { createBatch } from './batch.ts'
import {
  ahead,
  deadStreamOf,
  deadTtlSeconds,
  eventKey,
  inboundStream,
  jobMarkerKey,
  jobsStream,
  markerTtlSeconds,
  type AheadRequest,
  type ClaimRequest,
  type DeadLetter,
  type Entry,
  type InboundEvent,
  type JobMessage,
  type PublishResult,
  type ReadRequest,
  type StreamLog,
  type StreamPort
} from './port.ts'
import { connectProducer, createReaders, maxBlockMs, type Reader } from './redis-connections.ts'
import { counted, sizeOf, toEntries, toFields } from './redis-entries.ts'
import { inspectRedis } from './redis-settings.ts'

export interface RedisStreamsOptions {
  url: string
  log: StreamLog
  /** Most entries that a stream keeps for reading back after every group acknowledged them. */
  maxEntries?: number
  /** The same in bytes of the memory of Redis. */
  maxBytes?: number
}

type EnqueueItem = { message: JobMessage, source?: { stream: string, group: string, id: string } }

const batchLimits = { maxItems: 128, maxRunning: Number.POSITIVE_INFINITY, maxWaiting: 10_000 }
const publishResults: readonly PublishResult[] = ['duplicate', 'published', 'stale']
const trimLimit = 10_000
const trimRuns = 1_000
/**
 * A process that published this share of `maxBytes` trims the streams at once, not at the next
 * `maintain`.
 */
const trimShare = 0.25
const silentConsumerMs = 3_600_000
const touchKey = 'linker:touch'
const touchTtlSeconds = 60

/**
 * The streams on Redis: standalone or behind Sentinels; a Redis Cluster is refused. Rejects when
 * the server cannot be reached.
 */
export async function createRedisStreams (options: RedisStreamsOptions): Promise<StreamPort> {
  const { url, log, maxEntries = 1_000_000, maxBytes = 67_108_864 } = options
  const redis = await connectProducer(url, log)
  const readers = createReaders(redis, log)

  const publishes = createBatch<InboundEvent, PublishResult>({ ...batchLimits, run: ingest })

  async function ingest (events: readonly InboundEvent[]): Promise<(PublishResult | Error)[]> {
    const keys = events.flatMap(event => [eventKey(event), epochKey(event.connectionId)])
    const values = events.flatMap(({ epoch, fields }) => [epoch, ...counted(fields)])
    const results = await redis.linkerIngest(keys.length + 1, inboundStream, keys, markerTtlSeconds, values)
    trimAfter(sizeOf(values))
    return results.map(result =>
      typeof result === 'string'
        ? refused(result)
        : publishResults[result] ?? new ReplyError(`unknown answer ${result}`)
    )
  }

  // A list is stored whole or not at all, so it shares no script call with other events.
  const lists = createBatch({
    ...batchLimits,
    maxItems: 1,
    run: (items: readonly (readonly InboundEvent[])[]) => Promise.all(items.map(ingestList))
  })

  /** Whatever makes the script fail for one event of a connection makes it fail for all of them. */
  async function ingestList (events: readonly InboundEvent[]): Promise<PublishResult[]> {
    if (events.length === 0) return []
    return (await ingest(events)).map(result => {
      if (result instanceof Error) throw result
      return result
    })
  }

  const enqueues = createBatch<EnqueueItem, { isNew: boolean, id: string }>({
    ...batchLimits,
    async run (items) {
      const keys = items.flatMap(
        ({ message, source }) => [jobMarkerKey(message.idempotencyKey), source?.stream ?? jobsStream]
      )
      const values = items.flatMap(
        ({ message, source }) => [source?.group ?? '', source?.id ?? '', ...counted(message.fields)]
      )
      const results = await redis.linkerEnqueue(keys.length + 1, jobsStream, keys, markerTtlSeconds, values)
      trimAfter(sizeOf(values))
      return results.map(result =>
        typeof result === 'string' ? refused(result) : { isNew: result[0] === 1, id: result[1] }
      )
    }
  })

  /** A script passes an error of one event on as text, which ioredis does not see. */
  function refused (message: string): Error {
    const error = new ReplyError(message)
    redis.options.reconnectOnError?.(error)
    return error
  }

  async function ensureGroup (stream: string, group: string): Promise<void> {
    try {
      // The group starts at the beginning, never at `$`: the hub would lose events published before
      // its first start.
      await redis.xgroup('CREATE', stream, group, '0', 'MKSTREAM')
    } catch (error) {
      if (!isReply(error, 'BUSYGROUP')) throw error
    }
  }

  /**
   * Runs `work`; when the stream or its group is gone (restored, renamed, deleted by hand), makes
   * the group again and runs `work` once more.
   */
  async function withGroup<Value> (stream: string, group: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work()
    } catch (error) {
      if (!isGroupGone(error)) throw error
      log.warn(
        { stream, group },
        'the consumer group was missing; the hub created it again at the beginning of the stream'
      )
      await ensureGroup(stream, group)
      return work()
    }
  }

  async function readBlocking (
    { stream, group, consumer, count, blockMs, signal }: ReadRequest,
    reader: Reader
  ): Promise<Entry[]> {
    let stopUnblocking: (() => void) | undefined
    const onAbort = () => {
      stopUnblocking = readers.unblock(reader)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const reply = await reader.client.xreadgroup(
        'GROUP',
        group,
        consumer,
        'COUNT',
        count,
        'BLOCK',
        Math.min(blockMs, maxBlockMs),
        'STREAMS',
        stream,
        '>'
      )
      readers.giveBack(reader)
      return toEntries(reply)
    } catch (error) {
      if (isGroupGone(error)) readers.giveBack(reader)
      else reader.client.disconnect()
      // The hub could not end the wait in time. Entries that the server handed out meanwhile stay
      // pending, and a consumer claims them later.
      if (signal.aborted) return []
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
      stopUnblocking?.()
    }
  }

  async function read (request: ReadRequest): Promise<Entry[]> {
    const { stream, group, consumer, count, blockMs, signal } = request
    return withGroup(stream, group, async () => {
      if (signal.aborted) return []
      // `BLOCK 0` would wait for ever.
      if (blockMs <= 0) {
        return toEntries(await redis.xreadgroup('GROUP', group, consumer, 'COUNT', count, 'STREAMS', stream, '>'))
      }
      const reader = await readers.take()
      if (!signal.aborted) return readBlocking(request, reader)
      readers.giveBack(reader)
      return []
    })
  }

  async function readAhead ({ stream, group }: AheadRequest): Promise<{ entries: Entry[], isEnd: boolean }> {
    const { head, served, window, most, againSeconds } = ahead
    const limits = [head, served, window, most, markerTtlSeconds, againSeconds]
    const [found, isEnd] = await withGroup(
      stream,
      group,
      () => redis.linkerReadAhead(2, stream, aheadKey(stream), group, limits)
    )
    return { entries: found.map(([id, parts]) => ({ id, fields: toFields(parts), deliveries: 0 })), isEnd: isEnd === 1 }
  }

  async function claimIdle ({ stream, group, consumer, count, minIdleMs }: ClaimRequest): Promise<Entry[]> {
    const claimed: Entry[] = []
    let cursor = '0-0'
    do {
      const [next, entries, deliveries, deleted] = await withGroup(
        stream,
        group,
        () => redis.linkerClaim(1, stream, group, consumer, minIdleMs, cursor, count - claimed.length)
      )
      entries.forEach(([id, parts], index) => {
        claimed.push({ id, fields: toFields(parts), deliveries: deliveries[index] ?? 1 })
      })
      if (deleted.length > 0) {
        log.warn(
          { stream, group, lost: deleted.length, ids: deleted },
          'entries were deleted from the stream before they were handled'
        )
      }
      cursor = next
    } while (cursor !== '0-0' && claimed.length < count)
    return claimed
  }

  let bytesSinceTrim = 0
  let trimming: Promise<void> | undefined

  /** One chatty sender fills the memory of Redis long before the next turn of `maintain`. */
  function trimAfter (bytes: number): void {
    bytesSinceTrim += bytes
    if (bytesSinceTrim < maxBytes * trimShare || trimming !== undefined) return
    bytesSinceTrim = 0
    trimming = Promise.all([inboundStream, jobsStream].map(trim))
      .then(() => undefined, (error: unknown) => {
        log.warn({ err: error }, 'removing handled entries failed; trying again later')
      })
      .finally(() => {
        trimming = undefined
      })
  }

  async function trim (stream: string): Promise<void> {
    for (let run = 0; run < trimRuns; run++) {
      if (await redis.linkerTrim(1, stream, markerTtlSeconds * 1_000, maxEntries, maxBytes, trimLimit) === 0) return
    }
  }

  async function maintain (): Promise<void> {
    for (const stream of [inboundStream, jobsStream]) {
      await trim(stream)
      await redis.linkerTrimDead(1, deadStreamOf(stream), deadTtlSeconds * 1_000)
      await redis.linkerDropConsumers(1, stream, silentConsumerMs)
    }
  }

  return {
    publishEvent: publishes.add,
    publishEvents: lists.add,
    async setEpoch (connectionId, epoch) {
      await redis.linkerRaiseEpoch(1, epochKey(connectionId), epoch, markerTtlSeconds)
    },
    enqueueJob: (message, source) => enqueues.add(source === undefined ? { message } : { message, source }),
    ensureGroup,
    read,
    readAhead,
    claimIdle,
    async acknowledge (stream, group, ids) {
      if (ids.length > 0) await redis.xack(stream, group, ...ids)
    },
    async deadLetter ({ stream, group, id, reason, deliveries }: DeadLetter) {
      await withGroup(
        stream,
        group,
        () => redis.linkerDeadLetter(2, stream, deadStreamOf(stream), group, id, reason, deliveries)
      )
    },
    async listDead () {
      const found = await Promise.all([inboundStream, jobsStream].map(async stream => {
        const name = deadStreamOf(stream)
        const [count, [last]] = await Promise.all([redis.xlen(name), redis.xrevrange(name, '+', '-', 'COUNT', 1)])
        if (last === undefined) return []
        const [id, fields] = last
        const reason = fields[fields.indexOf('reason') + 1] ?? ''
        return [{ stream, count, lastAt: new Date(Number.parseInt(id, 10)).toISOString(), reason }]
      }))
      return found.flat()
    },
    length: stream => redis.xlen(stream),
    maintain,
    async sizes () {
      const names = [inboundStream, jobsStream].flatMap(stream => [stream, deadStreamOf(stream)])
      // With `SAMPLES 0` Redis measures every node. By default Redis measures five and multiplies.
      const bytes = await Promise.all(names.map(name => redis.memory('USAGE', name, 'SAMPLES', 0)))
      return new Map(names.map((name, index) => [name, bytes[index] ?? 0]))
    },
    inspect: () => inspectRedis(redis),
    async touch () {
      await redis.set(touchKey, '', 'EX', touchTtlSeconds)
    },
    async ping () {
      await redis.ping()
    },
    async close () {
      await Promise.all([publishes.drained(), lists.drained(), enqueues.drained(), trimming])
      readers.close()
      // The answer comes after those to all commands before it. QUIT would leave the connections to
      // Sentinels open.
      await redis.ping().catch(() => undefined)
      redis.disconnect()
    }
  }
}

/** All processes share this key, so that only one of them looks at each part of a backlog. */
function aheadKey (stream: string): string {
  return `linker:ahead:${stream}`
}

function epochKey (connectionId: string): string {
  return `linker:connection-epoch:${connectionId}`
}

function isReply (error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code)
}

/** Redis says NOGROUP, or UNBLOCKED to a read that waited while the stream was deleted. */
function isGroupGone (error: unknown): boolean {
  return isReply(error, 'NOGROUP') || isReply(error, 'UNBLOCKED')
}
