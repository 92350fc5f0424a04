import fp from 'fastify-plugin'
import type { Config } from '../config.ts'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { isKnownEventType } from './event-to-job.ts'
import { createIgnoredEvents } from './ignored-events.ts'
import type { InboundMessage } from './inbound-fields.ts'
import { jobsOfConnection, type HasJobOn, type JobsOfConnection } from './jobs-of-connection.ts'
import { createReceipts } from './receipts.ts'
import { createSyncWorker } from './sync-worker.ts'
import { createTestBudget } from './test-budget.ts'
import { createWebhookHandler } from './webhook-handler.ts'

const cleaningIntervalMs = 3_600_000

export interface EventsOptions {
  config: Pick<Config, 'webhookKeptDays'>
  now: () => Date
  random: () => number
  hasJob: HasJobOn
}

/**
 * Both consumers of this process: inbound events become jobs, job messages reach the ledger. They
 * run once the hub is ready and stop before it closes.
 */
export default fp<EventsOptions>(async (app, { config, now, random, hasJob }) => {
  const { pid } = process
  const log = app.log.child({ component: 'events' })
  const receipts = createReceipts({
    query: app.database.query,
    now,
    onError (error) {
      log.warn({ err: error }, 'storing the last deliveries failed')
    }
  })
  const ignored = createIgnoredEvents(app.database, config.webhookKeptDays)
  const tests = createTestBudget(now)
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
        if (reason !== 'test' || tests.admits(message.connectionId)) await ignored.keep({ message, reason, fields })
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
   * The connection that this process remembers may be older than the one that the gate of another
   * process knew. So the hub loads the connection again before it ignores an event.
   */
  async function jobsOf ({ provider, connectionId, eventType }: InboundMessage): Promise<JobsOfConnection> {
    const remembered = await app.webhookConnections.find(connectionId)
    const jobs = remembered === null ? {} : jobsOfConnection(remembered, hasJob)
    if (isKnownEventType(eventType, provider, jobs.events, jobs.hasJob)) return jobs
    const present = await app.webhookConnections.refresh(connectionId)
    return present === null ? {} : jobsOfConnection(present, hasJob)
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
