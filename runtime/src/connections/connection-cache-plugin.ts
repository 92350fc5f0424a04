import fp from 'fastify-plugin'
import type { Query } from '../database/database.ts'
import { createBatch } from '../streams/batch.ts'
import { createConnectionCache, type ConnectionCache, type WebhookConnection } from './connection-cache.ts'
import { readWebhookConnections } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    webhookConnections: ConnectionCache
  }
}

/**
 * Keeps the connections in memory for the gate and the event consumer, so that a webhook costs no
 * query.
 */
export default fp<{ now: () => Date }>(async (app, { now }) => {
  app.decorate(
    'webhookConnections',
    createConnectionCache({ now: () => now().getTime(), load: createLoader(app.database.query) })
  )
}, { name: 'webhook-connections', dependencies: ['database'] })

/**
 * Looks up many ids with one query. A flood of forged ids waits in line for two of the pool's
 * connections and leaves the others to the API and the jobs.
 */
function createLoader (query: Query): (id: string) => Promise<WebhookConnection | null> {
  const batch = createBatch<string, WebhookConnection | null>({
    maxItems: 500,
    maxRunning: 2,
    maxWaiting: 10_000,
    async run (ids) {
      const rows = await readWebhookConnections(query, ids)
      const found = new Map(rows.map(row => [row.id, row]))
      return ids.map(id => found.get(id) ?? null)
    }
  })
  return batch.add
}
