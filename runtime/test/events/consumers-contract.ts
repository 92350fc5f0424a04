import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import type { ConsumerTuning } from '../../src/events/consumer.ts'
import { toInboundFields, type AcceptedEvent } from '../../src/events/inbound-fields.ts'
import { createSyncWorker, type SyncWorkerOptions } from '../../src/events/sync-worker.ts'
import { createWebhookHandler, type WebhookHandlerOptions } from '../../src/events/webhook-handler.ts'
import type { JobRequest } from '../../src/jobs/job.ts'
import {
  deadStreamOf,
  inboundGroup,
  inboundStream,
  jobsGroup,
  jobsStream,
  type StreamPort
} from '../../src/streams/port.ts'
import { silentLog, type StreamDriver } from '../streams/drivers.ts'

const quick: ConsumerTuning = { blockMs: 100, claimEveryMs: 20, backoffMs: () => 1 }

function accepted (connectionId: string, eventId: string, eventType = 'stock.changed'): AcceptedEvent {
  return {
    provider: 'shopa',
    connectionId,
    eventId,
    eventType,
    occurredAt: '2025-01-01T12:00:31+01:00',
    publishedAt: '2025-01-01T11:00:32.000Z',
    objectType: 'stock',
    externalId: '27',
    requestId: `request-${eventId}`
  }
}

/**
 * Tests both consumers on a real server, from the inbound stream to the jobs, with failures on the
 * way.
 */
export function testConsumers (t: Test, driver: StreamDriver): void {
  const { streams } = driver

  async function prepare (): Promise<string> {
    await driver.clear()
    await streams.ensureGroup(inboundStream, inboundGroup)
    await streams.ensureGroup(jobsStream, jobsGroup)
    const connectionId = randomUUID()
    await driver.setVersion(connectionId, 1)
    return connectionId
  }

  async function publish (connectionId: string, eventId: string, eventType?: string): Promise<void> {
    await streams.publishEvent({
      provider: 'shopa',
      connectionId,
      eventId,
      epoch: 1,
      fields: toInboundFields(accepted(connectionId, eventId, eventType))
    })
  }

  async function startHandler (t: Test, options: Partial<WebhookHandlerOptions> = {}): Promise<void> {
    const handler = createWebhookHandler({
      streams,
      pid: 7,
      now: () => new Date('2025-01-01T11:00:33.000Z'),
      random: () => 0,
      log: silentLog,
      tuning: quick,
      ...options
    })
    t.teardown(handler.stop)
    await handler.start()
  }

  async function startWorker (
    t: Test,
    enqueueJobs: SyncWorkerOptions['enqueueJobs'],
    options: Partial<SyncWorkerOptions> = {}
  ): Promise<void> {
    const worker = createSyncWorker({
      streams,
      pid: 7,
      random: () => 0,
      log: silentLog,
      enqueueJobs,
      tuning: quick,
      ...options
    })
    t.teardown(worker.stop)
    await worker.start()
  }

  function collect (isComplete: (jobs: readonly JobRequest[]) => boolean): {
    enqueueJobs: SyncWorkerOptions['enqueueJobs'],
    complete: Promise<JobRequest[]>
  } {
    const jobs: JobRequest[] = []
    const { promise, resolve } = Promise.withResolvers<JobRequest[]>()
    return {
      complete: promise,
      async enqueueJobs (requests) {
        jobs.push(...requests)
        if (isComplete(jobs)) resolve(jobs)
        return requests.map(({ idempotencyKey }) => ({ id: idempotencyKey, isNew: true }))
      }
    }
  }

  t.test('an event becomes a message on jobs.sync with exactly its fields, and then a job', async t => {
    const connectionId = await prepare()
    const jobs = collect(all => all.length === 1)
    await startHandler(t)
    await startWorker(t, jobs.enqueueJobs)

    await publish(connectionId, 'one')

    const key = `webhook:shopa:${connectionId}:one`
    const payload = {
      schemaVersion: 1,
      externalId: '27',
      objectType: 'stock',
      eventType: 'stock.changed',
      eventId: 'one',
      occurredAt: '2025-01-01T12:00:31+01:00',
      publishedAt: '2025-01-01T11:00:32.000Z',
      requestId: 'request-one'
    }
    t.strictSame(await jobs.complete, [{
      jobType: 'shopa.inventory.syncByExternalId',
      connectionId,
      payload,
      idempotencyKey: key,
      requestId: 'request-one'
    }])
    const [entry] = await driver.entries(jobsStream)
    t.strictSame(
      Object.entries(entry?.fields ?? {}),
      Object.entries({
        jobType: 'shopa.inventory.syncByExternalId',
        connectionId,
        payloadJson: JSON.stringify(payload),
        idempotencyKey: key,
        createdAt: '2025-01-01T11:00:33.000Z'
      })
    )
    await settled(driver)
  })

  t.test('many earlier events of another connection do not hold up the only event of a connection', async t => {
    const chatty = await prepare()
    const quiet = randomUUID()
    await driver.setVersion(quiet, 1)
    await Promise.all(Array.from({ length: 800 }, (_, index) => publish(chatty, `event-${index}`)))
    await publish(quiet, 'the-only-one')
    await Promise.all(Array.from({ length: 200 }, (_, index) => publish(chatty, `later-${index}`)))
    const tuning: ConsumerTuning = { ...quick, batchSize: 20, concurrency: 1 }
    const jobs = collect(all => all.some(job => job.connectionId === quiet))

    await startHandler(t, { tuning })
    await startWorker(t, jobs.enqueueJobs, { tuning })

    const before = (await jobs.complete).findIndex(job => job.connectionId === quiet)
    t.ok(before < 400, `${before} jobs of the other connection came first`)
  })

  t.test('an event that was brought forward becomes one job and leaves nothing behind', async t => {
    const chatty = await prepare()
    const quiet = randomUUID()
    await driver.setVersion(quiet, 1)
    await Promise.all(Array.from({ length: 400 }, (_, index) => publish(chatty, `event-${index}`)))
    await Promise.all(Array.from({ length: 30 }, (_, index) => publish(quiet, `quiet-${index}`)))
    const tuning: ConsumerTuning = { ...quick, batchSize: 20, concurrency: 1 }
    const keys = new Set<string>()
    const jobs = collect(all => {
      for (const job of all) keys.add(job.idempotencyKey)
      return keys.size === 430
    })

    await startHandler(t, { tuning })
    await startWorker(t, jobs.enqueueJobs, { tuning })
    await jobs.complete

    await settled(driver)
    t.equal(await streams.length(jobsStream), 430)
  })

  t.test('300 events become 300 jobs, each once', async t => {
    const connectionId = await prepare()
    const jobs = collect(all => all.length === 300)
    await Promise.all(Array.from({ length: 300 }, (_, index) => publish(connectionId, `event-${index}`)))

    await startHandler(t)
    await startWorker(t, jobs.enqueueJobs)

    t.equal(new Set((await jobs.complete).map(job => job.idempotencyKey)).size, 300)
    await settled(driver)
    t.equal(await streams.length(jobsStream), 300)
  })

  t.test('test events and unknown events are acknowledged without a job, and a malformed one is dead', async t => {
    const connectionId = await prepare()
    const ignored: string[] = []
    const jobs = collect(all => all.length === 1)
    await publish(connectionId, 'one', 'test.ping')
    await publish(connectionId, 'two', 'constructor.x')
    await driver.add(inboundStream, {
      eventId: 'three',
      eventType: 'inbound.webhook.stock.changed',
      payloadJson: '{"__proto__":{}}',
      metadataJson: '{}',
      occurredAt: '2025-01-01T12:00:31Z',
      publishedAt: '2025-01-01T12:00:31Z'
    })
    await driver.add(jobsStream, {
      jobType: 'master.product.syncByExternalId',
      connectionId: 'nonsense',
      payloadJson: '{}',
      idempotencyKey: 'k',
      createdAt: '2025-01-01T12:00:31Z'
    })
    await publish(connectionId, 'last')

    await startHandler(t, {
      onIgnored: (message, reason) => {
        ignored.push(`${message.eventType}: ${reason}`)
      }
    })
    await startWorker(t, jobs.enqueueJobs)

    t.strictSame((await jobs.complete).map(job => job.payload.eventId), ['last'])
    await settled(driver)
    t.strictSame(ignored, ['test.ping: test', 'constructor.x: unknown event type'])
    t.match((await driver.entries(deadStreamOf(inboundStream))).map(entry => entry.fields), [{
      eventId: 'three',
      deliveries: '1',
      reason: /^malformed: metadataJson/
    }])
    t.match((await driver.entries(deadStreamOf(jobsStream))).map(entry => entry.fields), [{
      connectionId: 'nonsense',
      reason: /^malformed: \/connectionId/
    }])
  })

  t.test('a well-formed message of another program runs', async t => {
    await prepare()
    const jobs = collect(all => all.length === 1)
    await startWorker(t, jobs.enqueueJobs)

    await driver.add(jobsStream, {
      jobType: 'master.inventory.syncAll',
      connectionId: '',
      payloadJson: '{}',
      idempotencyKey: 'by-hand',
      createdAt: '2025-01-01T12:00:31Z'
    })

    t.strictSame(await jobs.complete, [{
      jobType: 'master.inventory.syncAll',
      connectionId: null,
      payload: {},
      idempotencyKey: 'by-hand'
    }])
  })

  t.test('entries that a dead process had in hand are handled when another starts', async t => {
    const connectionId = await prepare()
    const jobs = collect(all => all.length === 2)
    await publish(connectionId, 'one')
    await publish(connectionId, 'two')
    const taken = await streams.read({
      stream: inboundStream,
      group: inboundGroup,
      consumer: 'webhook-handler-7',
      count: 10,
      blockMs: 0,
      signal: new AbortController().signal
    })
    await driver.makeIdle(inboundStream, inboundGroup, taken.map(entry => entry.id), 10_001)

    await startHandler(t)
    await startWorker(t, jobs.enqueueJobs)

    t.strictSame((await jobs.complete).map(job => job.payload.eventId).toSorted(), ['one', 'two'])
    await settled(driver)
  })

  t.test('a job whose acknowledgement was lost is stored again under the same key', async t => {
    const connectionId = await prepare()
    const jobs = collect(all => all.length === 2)
    let losses = 0
    const lossy: StreamPort = {
      ...streams,
      async acknowledge (stream, group, ids) {
        if (losses++ === 0) throw new Error('Connection is closed.')
        await streams.acknowledge(stream, group, ids)
      }
    }
    await startHandler(t)
    await startWorker(t, jobs.enqueueJobs, { streams: lossy })

    await publish(connectionId, 'one')

    const [first, second] = await jobs.complete
    t.equal(first?.idempotencyKey, second?.idempotencyKey)
    await settled(driver)
  })

  t.test('the consumers wait for the end of an outage, which costs no delivery and kills no entry', async t => {
    const connectionId = await prepare()
    const jobs = collect(all => all.length === 3)
    let outages = 20
    await startHandler(t, {
      streams: {
        ...streams,
        async enqueueJob (message, source) {
          if (outages-- > 0) throw new Error('Command timed out')
          return streams.enqueueJob(message, source)
        }
      }
    })
    let databaseOutages = 20
    await startWorker(t, async requests => {
      if (databaseOutages-- > 0) throw Object.assign(new Error('the database is starting up'), { code: '57P03' })
      return jobs.enqueueJobs(requests)
    })

    for (const id of ['one', 'two', 'three']) await publish(connectionId, id)

    t.strictSame((await jobs.complete).map(job => job.payload.eventId).toSorted(), ['one', 'three', 'two'])
    await settled(driver)
    t.strictSame([await streams.length(deadStreamOf(inboundStream)), await streams.length(deadStreamOf(jobsStream))], [
      0,
      0
    ])
  })

  t.test('an entry that fails for an unknown reason is dead after five deliveries, but not its batch', async t => {
    const connectionId = await prepare()
    const attempts: number[] = []
    const jobs = collect(all => all.length === 2)
    for (const id of ['one', 'poison', 'two']) await publish(connectionId, id)
    await startHandler(t)

    await startWorker(t, async requests => {
      if (requests.some(request => request.payload.eventId === 'poison')) {
        if (requests.length === 1) attempts.push(1)
        throw new RangeError('the ledger chokes on it')
      }
      return jobs.enqueueJobs(requests)
    }, { tuning: { ...quick, minIdleMs: 0, claimEveryMs: 5, concurrency: 1 } })

    t.strictSame((await jobs.complete).map(job => job.payload.eventId).toSorted(), ['one', 'two'])
    await settled(driver)
    t.match((await driver.entries(deadStreamOf(jobsStream))).map(entry => entry.fields), [{
      sourceStream: jobsStream,
      deliveries: '5',
      reason: 'failed 5 times: the ledger chokes on it',
      idempotencyKey: `webhook:shopa:${connectionId}:poison`
    }])
    t.equal(attempts.length, 5)
  })

  t.test('a stopped consumer ends before its wait is over', async t => {
    await prepare()
    const rest = new AbortController()
    let isOver = false
    const other = streams.read({
      stream: inboundStream,
      group: inboundGroup,
      consumer: 'another',
      count: 1,
      blockMs: 10_000,
      signal: rest.signal
    }).finally(() => {
      isOver = true
    })
    const handler = createWebhookHandler({
      streams,
      pid: 8,
      now: () => new Date(0),
      random: () => 0,
      log: silentLog,
      tuning: { blockMs: 10_000, stopTimeoutMs: 600_000 }
    })
    await handler.start()

    await handler.stop()

    t.notOk(isOver, 'an earlier read still waits')
    rest.abort()
    await other
  })
}

/** Resolves when nothing is pending on either stream. */
async function settled (driver: StreamDriver): Promise<void> {
  const end = AbortSignal.timeout(120_000)
  while (
    (await driver.pending(inboundStream, inboundGroup)).length + (await driver.pending(jobsStream, jobsGroup)).length >
      0
  ) {
    end.throwIfAborted()
    await new Promise(setImmediate)
  }
}
