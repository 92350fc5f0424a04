import type pg from 'pg'

/** Limit of most statements. It gives an API client its answer before 10 s. */
const usualMs = 9_000
/** The limit for a delivery: its sender gives up after 5 s. */
export const publishMs = 3_000
/** The limit of the embedded database: it has one thread for everything and no network to lose. */
export const embeddedMs = 60_000
/** The limit for migrations and new indexes, which take longer the larger the tables are. */
const longWorkMs = 600_000
/** The limit while the hub stops: it has 25 s for that. */
const stoppingMs = 4_000

const network = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Options for a pool or client on a server. With `keepAlive` the system checks whether the other
 * side is there. The timeout limits waiting for a free connection and connecting together. It is
 * that of a statement: a silent server answers no new connection either, and an API client gets its
 * answer in time all the same. The limit of a statement frees the connections of such a server.
 */
export const pooled = { ...network, connectionTimeoutMillis: usualMs } as const

/** A client of `pg`, with the members that the watch uses. */
export interface WatchedClient {
  query(...args: never[]): unknown
  connection: { stream: { destroy(error?: Error): unknown } }
  on(event: 'drain' | 'end', listener: () => void): unknown
  emit(event: 'error', error: Error): unknown
}

/**
 * Packets may stop without an end of the connection, when a firewall forgets it or a server moves.
 * A statement would then wait for ever, and a cancel would never reach such a server. So the watch
 * destroys a connection on which a statement had no answer in time. Nobody knows whether the server
 * ran that statement. Idle connections are likely to be as dead, so the watch destroys them too,
 * except those that were opened or answered after the statement was sent.
 */
export interface SilenceWatch {
  /** Keeps the limit on all connections of the pool. `limitMs`: longest wait for an answer. */
  over(pool: pg.Pool, limitMs?: number): void
  /**
   * Keeps the limit on one connection. A pool emits `connect` only after its `onConnect`, so an
   * `onConnect` that runs statements calls this first.
   */
  overClient(client: WatchedClient, limitMs?: number): void
  /** While `work` runs, a statement may wait for its answer as long as a migration may take. */
  suspend<Result>(work: () => Promise<Result>): Promise<Result>
  /** From now on no statement waits for long. */
  hurry(): void
}

/** Calls `onSilent` for each connection on which a statement had no answer in time. */
export function createSilenceWatch (
  log: { warn(fields: object, message: string): void },
  onSilent: () => void = () => undefined
): SilenceWatch {
  const watched = new WeakSet<WatchedClient>()
  /** The step at which each idle client was opened or given back. */
  const idle = new Map<WatchedClient, number>()
  let step = 0
  const waiting = new Map<WatchedClient, NodeJS.Timeout>()
  let longWorks = 0
  let isStopping = false

  function currentLimit (limitMs: number): number {
    if (longWorks > 0) return longWorkMs
    return isStopping ? Math.min(limitMs, stoppingMs) : limitMs
  }

  function giveUp (client: WatchedClient, limitMs: number, sentAt: number): void {
    const error = Object.assign(new Error(`PostgreSQL did not answer within ${limitMs} ms`), { code: 'ETIMEDOUT' })
    log.warn(
      { err: error, idle: idle.size },
      'PostgreSQL does not answer on a connection; closing it and the idle connections'
    )
    idle.delete(client)
    client.connection.stream.destroy(error)
    for (const [other, idleAt] of idle) {
      if (idleAt > sentAt) continue
      // The `error` event takes the client out of its pool at once. Node tells the end of the
      // socket one phase of the event loop later, and a request in between would get the dead
      // client.
      other.emit('error', error)
      other.connection.stream.destroy()
    }
    onSilent()
  }

  function wait (client: WatchedClient, limitMs: number): void {
    clearTimeout(waiting.get(client))
    waiting.set(client, setTimeout(giveUp, limitMs, client, limitMs, ++step))
  }

  function answered (client: WatchedClient): void {
    clearTimeout(waiting.get(client))
    waiting.delete(client)
  }

  function overClient (client: WatchedClient, limitMs = usualMs): void {
    if (watched.has(client)) return
    watched.add(client)
    const send = client.query.bind(client)
    let hasEnded = false
    client.query = (...args) => {
      // On an ended connection a statement (a ROLLBACK, for instance) fails at once, and no event
      // would stop its timer.
      if (!hasEnded) wait(client, currentLimit(limitMs))
      return send(...args)
    }
    // At `drain` every statement has its answer.
    client.on('drain', () => {
      answered(client)
    })
    client.on('end', () => {
      hasEnded = true
      answered(client)
      idle.delete(client)
    })
    idle.set(client, ++step)
  }

  return {
    overClient,
    over (pool, limitMs) {
      pool.on('connect', client => {
        overClient(client, limitMs)
      })
      pool.on('acquire', client => {
        idle.delete(client)
      })
      pool.on('release', (_error, client) => {
        idle.set(client, ++step)
      })
      pool.on('remove', client => {
        idle.delete(client)
      })
    },
    async suspend (work) {
      longWorks += 1
      try {
        return await work()
      } finally {
        longWorks -= 1
      }
    },
    hurry () {
      isStopping = true
      for (const client of waiting.keys()) wait(client, stoppingMs)
    }
  }
}
