import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import t from 'tap'
import { createReceipts, readLastDelivery, type Receipt } from '../../src/events/receipts.ts'
import type { ReceiptRow } from '../../src/events/store.ts'
import { jobIdOf } from '../../src/jobs/identity.ts'
import { cheapestKind, enqueueOne, openJobsFor, stateJob } from '../jobs/support.ts'

const now = new Date('2026-01-31T12:00:00.000Z')

function receipt (more: Partial<Receipt> = {}): Receipt {
  return { connectionId: 'a', deliveredAt: '2026-01-31T11:00:00Z', eventType: 'stock.changed', jobKey: 'k', ...more }
}

/** Receipts of a database that writes down the rows of each statement, or fails. */
function open ({ failure }: { failure?: Error } = {}) {
  const statements: ReceiptRow[][] = []
  const errors: unknown[] = []
  const receipts = createReceipts({
    async query (_text, [rows] = []) {
      statements.push(JSON.parse(String(rows)) as ReceiptRow[])
      if (failure !== undefined) throw failure
      return []
    },
    now: () => now,
    onError (error) {
      errors.push(error)
    }
  })
  return { ...receipts, statements, errors }
}

t.test('deliveries of half a second are one statement with the last of each connection', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
  })
  const { record, statements } = open()
  record(receipt({ deliveredAt: '2026-01-31T11:00:01+01:00', eventType: 'early' }))
  record(receipt({ deliveredAt: '2026-01-31T11:00:02Z', eventType: 'last' }))
  record(receipt({ deliveredAt: '2026-01-31T11:00:01Z', eventType: 'late' }))
  record(receipt({ connectionId: 'b', jobKey: null }))
  mock.timers.tick(499)
  t.strictSame(statements, [])
  mock.timers.tick(1)

  t.strictSame(statements, [[
    { connectionId: 'a', deliveredAt: '2026-01-31T11:00:02.000Z', eventType: 'last', jobId: jobIdOf('k') },
    { connectionId: 'b', deliveredAt: '2026-01-31T11:00:00.000Z', eventType: 'stock.changed', jobId: null }
  ]])
  mock.timers.tick(10_000)
  t.equal(statements.length, 1)
})

t.test('a time in the future counts as now, and one that is none is dropped', async t => {
  const { record, flush, statements } = open()
  record(receipt({ deliveredAt: '2999-01-01T00:00:00Z' }))
  record(receipt({ connectionId: 'b', deliveredAt: 'yesterday' }))
  await flush()

  t.strictSame(statements.map(rows => rows.map(({ connectionId, deliveredAt }) => [connectionId, deliveredAt])), [[
    ['a', now.toISOString()]
  ]])
})

t.test('of more than 10 000 connections the later ones are dropped, and known ones go on', async t => {
  const { record, flush, statements } = open()
  for (let number = 0; number <= 10_000; number++) record(receipt({ connectionId: String(number) }))
  record(receipt({ connectionId: '0', eventType: 'order.changed' }))
  await flush()

  t.equal(statements[0]?.length, 10_000)
  t.match(statements[0]?.[0], { connectionId: '0', eventType: 'order.changed' })
})

t.test('a failed statement is told and not repeated', async t => {
  const failure = new Error('away')
  const { record, flush, statements, errors } = open({ failure })
  record(receipt())
  await flush()
  await flush()

  t.strictSame([statements.length, errors], [1, [failure]])
})

t.test('the last delivery of a connection', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  /** Stores receipts as two processes do, one after the other. */
  async function store (...receipts: Receipt[]): Promise<void> {
    for (const one of receipts) {
      const process = createReceipts({
        query,
        now: () => now,
        onError (error) {
          throw error
        }
      })
      process.record(one)
      await process.flush()
    }
  }

  t.test('a process that stores an older delivery later does not replace the newer one', async t => {
    const connectionId = await jobs.addConnection()
    await store(
      receipt({ connectionId, deliveredAt: '2026-01-31T11:00:02.500Z', eventType: 'newer', jobKey: null }),
      receipt({ connectionId, deliveredAt: '2026-01-31T11:00:01Z', eventType: 'older' })
    )

    t.strictSame(await readLastDelivery(query, connectionId), {
      at: '2026-01-31T11:00:02.500Z',
      event: 'newer',
      result: 'ignored'
    })
  })

  t.test('the result is the status of the job, or `accepted` while the ledger does not have it', async t => {
    const connectionId = await jobs.addConnection()
    const jobKey = randomUUID()
    await store(receipt({ connectionId, jobKey }))
    const before = await readLastDelivery(query, connectionId)
    await enqueueOne(jobs, stateJob('a', { connectionId, idempotencyKey: jobKey }))

    t.equal(before?.result, 'accepted')
    t.equal((await readLastDelivery(query, connectionId))?.result, 'queued')
  })

  t.test('a connection that does not exist has no delivery', async t => {
    const connectionId = randomUUID()
    await store(receipt({ connectionId }))

    t.equal(await readLastDelivery(query, connectionId), undefined)
  })
})
