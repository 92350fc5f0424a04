import fp from 'fastify-plugin'
import type { ConnectionCache } from '../../connections/connection-cache.ts'
import { cleanRegularly } from '../../database/clean-regularly.ts'
import type { Query } from '../../database/database.ts'
import { isUuid } from '../../text-patterns.ts'
import { readCounts, removeCountsBefore, storeCounts, type RefusalCount, type RefusalRow } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    webhookRefusals: Refusals
  }
}

export type Refusals = ReturnType<typeof createRefusals>

export interface RefusalsOptions {
  query: Query
  connections: Pick<ConnectionCache, 'find'>
  now: () => Date
  /** For figures. Called for each refusal; without an id when there is no such connection. */
  onRefused?(connectionId: string | null, code: string): void
  onError(error: unknown): void
}

/** A refused delivery. */
export interface Refusal {
  code: string
  /** The explanation in the answer, unless it could repeat what the sender sent. */
  detail?: string | undefined
}

const flushEveryMs = 60_000
const mostHeld = 10_000
const keptDays = 30
const dayMs = 86_400_000
const cleaningIntervalMs = 3_600_000

/**
 * Counts refused deliveries per connection and code. Collects the counts for a minute and stores
 * them in one statement: a flood of forged requests writes no more than one request does. Counts
 * nothing for connections that do not exist, and holds 10 000 counts at most.
 */
export function createRefusals ({ query, connections, now, onRefused, onError }: RefusalsOptions) {
  const held = new Map<string, RefusalRow>()
  let timer: NodeJS.Timeout | undefined
  let flushing = Promise.resolve()

  function add (row: RefusalRow): void {
    const key = `${row.connectionId}|${row.code}`
    const present = held.get(key)
    if (present === undefined && held.size >= mostHeld) return
    held.set(key, present === undefined ? row : { ...row, ...sumOf(present, row) })
    timer ??= setTimeout(flush, flushEveryMs).unref()
  }

  function flush (): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const rows = [...held.values()]
    held.clear()
    if (rows.length > 0) {
      flushing = flushing.then(() => storeCounts(query, rows)).catch((error: unknown) => {
        onError(error)
        for (const row of rows) add(row)
      })
    }
    return flushing
  }

  return {
    /** Counts a refusal if the connection exists. Never fails, and nobody has to wait for it. */
    async record (connectionId: string, { code, detail }: Refusal): Promise<void> {
      // The gate has just looked it up, so that the connection is in memory.
      const connection = isUuid(connectionId)
        ? await connections.find(connectionId.toLowerCase()).catch(() => null)
        : null
      onRefused?.(connection?.id ?? null, code)
      if (connection === null) return
      const at = now().toISOString()
      add({ connectionId: connection.id, code, count: 1, firstAt: at, lastAt: at, lastDetail: detail ?? null })
    },

    /**
     * The counts of a connection, the latest first: those that are stored, and those that this
     * process will store within a minute.
     */
    async list (connectionId: string): Promise<RefusalCount[]> {
      await flushing
      const counts = new Map((await readCounts(query, connectionId)).map(count => [count.code, count]))
      for (const { connectionId: holder, ...count } of held.values()) {
        if (holder !== connectionId) continue
        const stored = counts.get(count.code)
        counts.set(count.code, stored === undefined ? count : sumOf(stored, count))
      }
      return [...counts.values()].toSorted((a, b) => a.lastAt < b.lastAt ? 1 : -1)
    },

    flush,

    /** Removes the counts of codes that no delivery got for 30 days. */
    async removeOld (): Promise<void> {
      await removeCountsBefore(query, new Date(now().getTime() - keptDays * dayMs))
    }
  }
}

function sumOf (a: RefusalCount, b: RefusalCount): RefusalCount {
  const last = a.lastAt > b.lastAt ? a : b
  return {
    code: a.code,
    count: a.count + b.count,
    firstAt: a.firstAt < b.firstAt ? a.firstAt : b.firstAt,
    lastAt: last.lastAt,
    lastDetail: last.lastDetail
  }
}

export default fp<{ now: () => Date }>(async (app, { now }) => {
  const log = app.log.child({ component: 'webhooks' })
  const refusals = createRefusals({
    query: app.database.query,
    connections: app.webhookConnections,
    now,
    onRefused: app.figures.refused,
    onError (error) {
      log.warn({ err: error }, 'storing the counts of refused deliveries failed; trying again later')
    }
  })
  app.decorate('webhookRefusals', refusals)
  cleanRegularly(app, {
    clean: () => refusals.removeOld(),
    everyMs: cleaningIntervalMs,
    work: 'removing old counts of refused deliveries',
    log
  })
  app.addHook('onClose', async () => {
    await refusals.flush()
  })
}, { name: 'webhook-refusals', dependencies: ['database', 'figures', 'webhook-connections'] })
