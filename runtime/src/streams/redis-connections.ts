import { Redis, type RedisOptions, type Result } from 'ioredis'
import { describePrimary, readSentinelUrl, type SentinelUrl } from '../config/sentinel-url.ts'
import { RedisClusterRefusedError } from '../errors.ts'
import type { StreamLog } from './port.ts'
import * as scripts from './scripts.ts'

type ScriptArgument = string | number | readonly (string | number)[]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    linkerIngest(...args: ScriptArgument[]): Result<(number | string)[], Context>
    linkerEnqueue(...args: ScriptArgument[]): Result<([number, string] | string)[], Context>
    linkerRaiseEpoch(...args: ScriptArgument[]): Result<number, Context>
    linkerReadAhead(...args: ScriptArgument[]): Result<[[string, string[]][], number], Context>
    linkerClaim(...args: ScriptArgument[]): Result<[string, [string, string[]][], number[], string[]], Context>
    linkerDeadLetter(...args: ScriptArgument[]): Result<number, Context>
    linkerTrim(...args: ScriptArgument[]): Result<number, Context>
    linkerTrimDead(...args: ScriptArgument[]): Result<number, Context>
    linkerDropConsumers(...args: ScriptArgument[]): Result<string[], Context>
  }
}

const connectTimeoutMs = 5_000
const commandTimeoutMs = 1_500
const leastStayMs = 1_000
const sentinelTimeoutMs = 2_000
const askAgainMs = 500
/** The message with which ioredis rejects a command that met its time limit. */
const timedOut = 'Command timed out'

/** Longest wait of one read; the socket of a reader that stays silent for longer is dead. */
export const maxBlockMs = 10_000
const readerSilenceMs = maxBlockMs + 5_000

/**
 * Connection for everything that does not block. A command fails fast when the server is away: the
 * sender of a webhook waits for it.
 */
export async function connectProducer (url: string, log: StreamLog): Promise<Redis> {
  const sentinel = readSentinelUrl(url)
  let hasConnected = false
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: commandTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    reconnectOnError (error) {
      leaveReplica(error)
      return false
    },
    connectionName: 'linker',
    scripts: {
      linkerIngest: { lua: scripts.ingest },
      linkerEnqueue: { lua: scripts.enqueue },
      linkerRaiseEpoch: { lua: scripts.raiseEpoch },
      linkerReadAhead: { lua: scripts.readAhead },
      linkerClaim: { lua: scripts.claim },
      linkerDeadLetter: { lua: scripts.deadLetter },
      linkerTrim: { lua: scripts.trim },
      linkerTrimDead: { lua: scripts.trimDead },
      linkerDropConsumers: { lua: scripts.dropConsumers }
    }
  }
  const producer = sentinel === undefined ? new Redis(url, options) : new Redis({
    ...options,
    ...overSentinels(sentinel),
    // ioredis never connects again after `null`. A start fails when no Sentinel answers.
    sentinelRetryStrategy: () => hasConnected ? askAgainMs : null
  })
  let readyAtMs = 0
  producer.on('ready', () => {
    readyAtMs = performance.now()
  })

  /**
   * Replaces the connection to a server that became a replica, because such a server may keep its
   * connections. If the new connection leads to a replica too, it stays for a while.
   */
  function leaveReplica (error: Error): void {
    const hasStayed = performance.now() - readyAtMs > leastStayMs
    // The stream ends once: each further call would add a listener to it.
    if (isOfReplica(error) && hasStayed && producer.stream.writable) producer.disconnect(true)
  }

  replaceWhenSilent(producer)
  await connect(producer, log)
  hasConnected = true
  if ((await producer.info('cluster')).includes('cluster_enabled:1')) {
    producer.disconnect()
    throw new RedisClusterRefusedError()
  }
  return producer
}

function overSentinels ({ usesTls, ...address }: SentinelUrl): RedisOptions {
  return {
    ...address,
    // A machine that is lost may have held a Sentinel too.
    connectTimeout: sentinelTimeoutMs,
    sentinelCommandTimeout: sentinelTimeoutMs,
    // A primary that only the Sentinels cannot reach would take writes that are lost later.
    failoverDetector: true,
    ...usesTls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}
  }
}

/**
 * Whether a server refused a command because it may be no primary any more: it is a replica, loads
 * the data of the new primary, or has lost its replicas.
 */
function isOfReplica ({ message }: Error): boolean {
  return /^(?:READONLY|MASTERDOWN|LOADING|NOREPLICAS) /.test(message)
}

/**
 * Destroys the connection when a command on it meets its time limit, so that ioredis opens another.
 * The server may never answer on the old connection again and yet not close it. If the server does
 * answer again after one answer was lost, ioredis would give each later answer to the command
 * before.
 */
function replaceWhenSilent (client: Redis): void {
  const send = client.sendCommand.bind(client)
  const watched = new WeakSet<object>()
  client.sendCommand = (command, stream) => {
    const answer = send(command, stream)
    const { stream: socket } = client
    // On the next connection ioredis sends unanswered commands again, even a command that met its
    // limit. Watching that command twice would destroy the new connection at once.
    if (watched.has(command)) return answer
    watched.add(command)
    command.promise.catch((error: unknown) => {
      if (error instanceof Error && error.message === timedOut) socket.destroy(error)
    })
    return answer
  }
}

async function connect (client: Redis, log: StreamLog): Promise<void> {
  let lastError: unknown
  client.on('error', error => {
    lastError = error
    log.warn({ err: error }, 'connection to Redis failed')
  })
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    const { host, port, sentinels, name = '' } = client.options
    const place = sentinels?.length === undefined ? `${host}:${port}` : describePrimary({ name, sentinels })
    // ioredis rejects with "Connection is closed."; the `error` event has the cause. For a name
    // with two addresses the message of the cause is empty.
    const cause = lastError ?? error
    const reason = cause instanceof Error ? cause.message || ('code' in cause ? cause.code : cause.name) : cause
    throw new Error(`Redis at ${place} does not answer: ${String(reason)}`, { cause })
  }
}

/** A connection that one read blocks at a time, and its id on the server. */
export interface Reader {
  client: Redis
  id: number
}

export interface Readers {
  take(): Promise<Reader>
  /** Takes back a reader whose read was answered. Disconnect a reader whose read failed instead. */
  giveBack(reader: Reader): void
  /**
   * Ends the wait of a reader's read: Redis then answers that read at once, with any entries that
   * it was handing out at that moment.
   */
  unblock(reader: Reader): () => void
  close(): void
}

const unblockEveryMs = 20
const unblockAttempts = 25

export function createReaders (producer: Redis, log: StreamLog): Readers {
  const idle: Reader[] = []
  const open = new Set<Redis>()
  // A reader never reconnects. Its id on the server would change, and ioredis would send the read
  // again: nobody would then own the entries that Redis handed to the first read.
  const options: RedisOptions = {
    retryStrategy: null,
    sentinelRetryStrategy: () => null,
    failoverDetector: false,
    commandTimeout: undefined,
    socketTimeout: readerSilenceMs,
    connectionName: 'linker-reader'
  }
  // The server is away, or is a replica now. Its readers would wait there until their time limit.
  producer.on('close', close)

  function close (): void {
    for (const client of open) client.disconnect()
  }

  async function take (): Promise<Reader> {
    const reader = idle.pop()
    if (reader !== undefined) return reader
    const client = producer.duplicate(options)
    open.add(client)
    client.once('end', () => {
      open.delete(client)
      const index = idle.findIndex(other => other.client === client)
      if (index !== -1) idle.splice(index, 1)
    })
    await connect(client, log)
    try {
      return { client, id: await client.client('ID') }
    } catch (error) {
      client.disconnect()
      throw error
    }
  }

  function unblock ({ client, id }: Reader): () => void {
    let attempts = 0
    function attempt (): void {
      // UNBLOCK may overtake the read on the way to the server, so the hub repeats it. When the
      // server never answers, the hub disconnects, and the entries that the server handed out stay
      // pending.
      if (++attempts > unblockAttempts) client.disconnect()
      else producer.client('UNBLOCK', id).catch(() => undefined)
    }
    attempt()
    const timer = setInterval(attempt, unblockEveryMs)
    return () => {
      clearInterval(timer)
    }
  }

  return {
    take,
    giveBack (reader) {
      if (reader.client.status === 'ready') idle.push(reader)
    },
    unblock,
    close
  }
}
