import fp from 'fastify-plugin'
import type { WebhookConnection } from '../connections/connection-cache.ts'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { isKnownEventType } from './event-to-job.ts'
import { createIgnoredEvents } from './ignored-events.ts'
import type { InboundMessage } from './inbound-fields.ts'
import { createReceipts } from './receipts.ts'
import { createSyncWorker } from './sync-worker.ts'
import { createWebhookHandler, type JobsOfConnection } from './webhook-handler.ts'

const cleaningIntervalMs = 3_600_000

export interface EventsOptions {
  now: () => Date
  random: () => number
  /** Whether jobs of a type run on a connection. */
  hasJob(connection: WebhookConnection, jobType: string): boolean
}

/**
 * Both consumers of this process: inbound events become jobs, job messages reach the ledger. They
 * run once the hub is ready and stop before it closes.
 */
export default fp<EventsOptions>(async (app, { now, random, hasJob }) => {
  const { pid } = process
  const log = app.log.child({ component: 'events' })
  const receipts = createReceipts({
    query: app.database.query,
    now,
    onError (error) {
      log.warn({ err: error }, 'storing the last deliveries failed')
    }
  })
  const ignored = createIgnoredEvents(app.database)
  const tuning = { giveWay: app.intake.giveWay }
  const consumers = [
    createWebhookHandler({
      streams: app.streams,
      pid,
      now,
      random,
      log,
      tuning,
      jobsOf,
      onPublished (message, job) {
        note(message, job.idempotencyKey)
      },
      async onIgnored (message, reason, { fields }) {
        note(message, null)
        if (reason !== 'test') await ignored.keep({ ...message, fields })
      }
    }),
    createSyncWorker({
      streams: app.streams,
      pid,
      random,
      log,
      tuning,
      enqueueJobs: requests => app.jobs.enqueueJobs(requests)
    })
  ]

  function note ({ connectionId, publishedAt: deliveredAt, eventType }: InboundMessage, jobKey: string | null): void {
    receipts.record({ connectionId, deliveredAt, eventType, jobKey })
  }

  /**
   * Takes the events from the connection, not from its adapter: the adapter may be missing, and
   * then the jobs wait for it. The connection that this process remembers may be older than the one
   * that the gate of another process knew. So the hub loads the connection again before it ignores
   * an event.
   */
  async function jobsOf ({ provider, connectionId, eventType }: InboundMessage): Promise<JobsOfConnection> {
    const remembered = jobsOn(await app.webhookConnections.find(connectionId))
    const { events, hasJob } = remembered
    return isKnownEventType(eventType, provider, events, hasJob)
      ? remembered
      : jobsOn(await app.webhookConnections.refresh(connectionId))
  }

  function jobsOn (connection: WebhookConnection | null): JobsOfConnection {
    if (connection === null) return {}
    return {
      events: connection.webhookEvents ?? undefined,
      hasJob: jobType => hasJob(connection, jobType)
    }
  }

  cleanRegularly(app, {
    clean: () => ignored.removeOld(),
    everyMs: cleaningIntervalMs,
    work: 'removing old ignored events',
    log
  })
  app.addHook('onReady', async () => {
    await Promise.all(consumers.map(consumer => consumer.start()))
  })
  app.addHook('preClose', async () => {
    await Promise.all(consumers.map(consumer => consumer.stop()))
  })
  app.addHook('onClose', async () => {
    await receipts.flush()
  })
}, { name: 'events', dependencies: ['database', 'streams', 'jobs', 'webhook-connections'] })
