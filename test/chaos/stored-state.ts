import { openDatabase, type Database } from '@linker/runtime'
import { Redis } from 'ioredis'
import { join } from 'node:path'

const streams = [['events.inbound.webhooks', 'webhook-handler'], ['jobs.sync', 'sync-worker']] as const
const hourMs = 3_600_000

interface Place {
  variables: Record<string, string>
  directory: string
}

type Work<Result> = (database: Database) => Promise<Result>

/** Opens the database of a stopped hub, does the work and closes it. */
export async function withStoredState<Result> ({ variables, directory }: Place, work: Work<Result>): Promise<Result> {
  const { DATABASE_URL: databaseUrl } = variables
  const options = { dataDirectory: join(directory, '.linker'), ...(databaseUrl === undefined ? {} : { databaseUrl }) }
  const database = await openDatabase(options, { warn: () => undefined })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Skips the time that a hub waits for a process that may still be alive: for its stream entries,
 * its jobs and locks, and an order that the shop may still be making.
 */
export async function letTimePass (place: Place): Promise<void> {
  await withStoredState(place, async ({ query }) => {
    await query("update stream_messages set delivered_at = delivered_at - interval '1 hour'")
    await query('update connection_locks set lapses_at = now()')
    await query('update orders set creation_unsure_until = now() where creation_unsure_until > now()')
    await query("update jobs set heartbeat_at = heartbeat_at - interval '1 hour' where state = 'running'")
    await query("update jobs set due_at = now() where due_at > now() and state in ('queued', 'returned')")
  })
  if (place.variables.REDIS_URL !== undefined) await letTimePassInRedis(place.variables.REDIS_URL)
}

async function letTimePassInRedis (url: string): Promise<void> {
  const redis = new Redis(url)
  try {
    for (const [stream, group] of streams) {
      const pending = await redis.xpending(stream, group, '-', '+', 10_000) as [string, string][]
      const ids = Map.groupBy(pending, ([, consumer]) => consumer)
      for (const [consumer, entries] of ids) {
        await redis.call('XCLAIM', stream, group, consumer, 0, ...entries.map(([id]) => id), 'IDLE', hourMs, 'JUSTID')
      }
    }
  } finally {
    redis.disconnect()
  }
}
