import fp from 'fastify-plugin'
import type { InboundMessage } from './inbound-fields.ts'
import { createSyncWorker } from './sync-worker.ts'
import { createReceipts } from '../webhooks/receipts.ts'
import { createWebhookHandler } from './webhook-handler.ts'

/** Both consumers of this process: inbound events become jobs, job messages reach the ledger. They run once the hub is ready and stop before it closes. */
export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { pid } = process
  const log = app.log.child({ component: 'events' })
  const receipts = createReceipts({ query: app.database.query, now, onError (error) { log.warn({ err: error }, 'the last deliveries were not noted') } })
  const consumers = [
    createWebhookHandler({
      streams: app.streams,
      pid,
      now,
      log,
      eventsOf: message => eventsOf(message.connectionId),
      onPublished (message, job) { note(message, job.idempotencyKey) },
      onIgnored (message) { note(message, null) }
    }),
    createSyncWorker({ streams: app.streams, pid, log, enqueueJobs: requests => app.jobs.enqueueJobs(requests) })
  ]

  function note ({ connectionId, publishedAt: deliveredAt, eventType }: InboundMessage, jobKey: string | null): void {
    receipts.record({ connectionId, deliveredAt, eventType, jobKey })
  }

  /** From the connection, not from its adapter: that may be missing, and then its jobs wait. */
  async function eventsOf (connectionId: string): Promise<Readonly<Record<string, string>> | undefined> {
    const connection = await app.webhookConnections.find(connectionId)
    return connection?.webhookEvents ?? undefined
  }

  app.addHook('onReady', async () => { await Promise.all(consumers.map(consumer => consumer.start())) })
  app.addHook('preClose', async () => { await Promise.all(consumers.map(consumer => consumer.stop())) })
  app.addHook('onClose', () => receipts.flush())
}, { name: 'events', dependencies: ['streams', 'jobs', 'webhook-connections'] })
