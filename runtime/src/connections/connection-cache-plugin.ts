import fp from 'fastify-plugin'
import type { Query } from '../database/database.ts'
import { createBatch } from '../streams/batch.ts'
import { createConnectionCache, type ConnectionCache, type WebhookConnection } from './connection-cache.ts'

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

const storedSecrets = `
  coalesce((
    select jsonb_agg(jsonb_build_object('id', secret.id, 'json', secret.secret_json, 'encrypted', secret.encrypted,
      'expiresAtMs', floor(extract(epoch from secret.expires_at) * 1000)) order by secret.position desc)
    from webhook_secrets as secret where secret.connection_id = connections.id), '[]')`

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
      const rows = await query<WebhookConnection>(
        `
        select id, platform_type as "platformType", status, version as epoch, adapter_key as "adapterKey",
          adapter_version as "adapterVersion", webhook_scheme as "webhookScheme",
          webhook_events as "webhookEvents", webhook_body as "webhookBody", ${storedSecrets} as "webhookSecrets"
        from connections where id = any($1::uuid[])`,
        [ids]
      )
      const found = new Map(rows.map(row => [row.id, row]))
      return ids.map(id => found.get(id) ?? null)
    }
  })
  return batch.add
}
