import type pg from 'pg'

/** Limit of most statements. It gives an API client its answer before 10 s. */
const usualMs = 9_000
/** The limit for a delivery: its sender gives up after 5 s. */
export const publishMs = 3_000
/** Of pg-boss, which now and then removes and counts many rows at once. */
export const maintenanceMs = 30_000
/** The limit of the embedded database: it has one thread for everything and no network to lose. */
export const embeddedMs = 60_000
/** The limit for migrations and new indexes, which take longer the larger the tables are. */
const longWorkMs = 600_000
/** The limit while the hub stops: it has 25 s for that. */
const stoppingMs = 4_000

const network = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Options for a pool or client on a server. The system looks whether the other side is there.
 * Connecting has this limit, and so has waiting for a free connection: on a busy machine that takes
 * longer than the answer to one statement, whose limit frees the connections of a silent server.
 */
export const pooled = { ...network, connectionTimeoutMillis: 15_000 } as const

/**
 * Packets may stop without an end of the connection: a firewall forgets it, a server moves. A
 * statement then waits for ever, and a cancel that is sent to such a server never arrives. So the
 * limit is kept here: a connection on which a statement had no answer in time is destroyed. What
 * became of the statement is unknown. Connections that nobody uses just then are likely to be as
 * dead, and go with it.
 */
export interface SilenceWatch {
  /**
   * Has the limit kept on all connections of the pool. `limitMs`: for the answer to a statement.
   */
  over(pool: pg.Pool, limitMs?: number): void
  overClient(client: pg.Client, limitMs?: number): void
  /**
   * No statement is taken for unanswered while `work` runs, unless it takes longer than a migration
   * may.
   */
  suspend<Result>(work: () => Promise<Result>): Promise<Result>
  /** From now on nothing waits for long. */
  hurry(): void
}

/** `onSilent` is called with each connection that is given up. */
export function createSilenceWatch (
  log: { warn(fields: object, message: string): void },
  onSilent: () => void = () => undefined
): SilenceWatch {
  const idle = new Set<pg.Client>()
  const waiting = new Map<pg.Client, NodeJS.Timeout>()
  let longWorks = 0
  let isStopping = false

  function currentLimit (limitMs: number): number {
    if (longWorks > 0) return longWorkMs
    return isStopping ? Math.min(limitMs, stoppingMs) : limitMs
  }

  function giveUp (client: pg.Client, limitMs: number): void {
    const error = Object.assign(new Error(`PostgreSQL did not answer within ${limitMs} ms`), { code: 'ETIMEDOUT' })
    log.warn(
      { err: error, idle: idle.size },
      'a connection to PostgreSQL is silent: it is given up, and those that nobody uses with it'
    )
    idle.delete(client)
    client.connection.stream.destroy(error)
    for (const other of idle) {
      // Takes it out of its pool at once: the end of a socket is told one phase of the event loop
      // later, and a request in between would get it.
      other.emit('error', error)
      other.connection.stream.destroy()
    }
    onSilent()
  }

  function wait (client: pg.Client, limitMs: number): void {
    clearTimeout(waiting.get(client))
    waiting.set(client, setTimeout(giveUp, limitMs, client, limitMs))
  }

  function answered (client: pg.Client): void {
    clearTimeout(waiting.get(client))
    waiting.delete(client)
  }

  function overClient (client: pg.Client, limitMs = usualMs): void {
    const send = client.query.bind(client) as (...args: unknown[]) => unknown
    let hasEnded = false
    client.query = ((...args: unknown[]) => {
      // On one that has ended it fails at once, and no event says so: a ROLLBACK, for instance.
      if (!hasEnded) wait(client, currentLimit(limitMs))
      return send(...args)
    }) as typeof client.query
    // Every statement is answered.
    client.on('drain', () => {
      answered(client)
    })
    client.on('end', () => {
      hasEnded = true
      answered(client)
      idle.delete(client)
    })
    idle.add(client)
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
        idle.add(client)
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
