import { randomUUID } from 'node:crypto'
import t from 'tap'
import { retryOrder } from '../../../src/orders/actions.ts'
import { createOrderRetries, type OrderRetriesOptions } from '../../../src/orders/retries/retry-orders.ts'
import type { RetryFilter } from '../../../src/orders/retries/store.ts'
import { createServices } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { placeOrder, type PlacedOrder } from '../placed-order.ts'

const problem = (code: string): string => `problems = '[{"code": "${code}", "detail": "no"}]'`

for (const kind of kinds(t)) {
  t.test(`retrying many orders, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database } = jobs
    const { query } = database
    const { enqueueJobs } = createServices(jobs, () => ({}))
    const request = (operationId: string = randomUUID()) => ({ operationId, requestId: 'request' })
    const common: OrderRetriesOptions = {
      database,
      enqueueJobs,
      stopping: new AbortController().signal,
      log: { error: () => undefined }
    }
    const open = (more: Partial<OrderRetriesOptions> = {}) => createOrderRetries({ ...common, ...more })
    const retry = (filter: RetryFilter, ids = request(), dryRun = false) => open()({ filter, dryRun }, ids)
    const statusesOf = (orders: readonly PlacedOrder[]) =>
      Promise.all(orders.map(async order => (await order.read()).status))
    const countJobs = async (): Promise<number> => (await query('select from jobs')).length
    const auditOf = () =>
      query<
        { action: string, name: string, changes: unknown }
      >("select action, object_name as name, changes from audit_entries where action = 'order.retry' order by id")
    t.beforeEach(() => query('delete from audit_entries'))

    async function placeFailed (count: number, code = 'not-created'): Promise<PlacedOrder[]> {
      const orders: PlacedOrder[] = []
      for (let n = 0; n < count; n++) {
        const order = await placeOrder(jobs)
        await order.set(`status = 'failed', ${problem(code)}`)
        orders.push(order)
      }
      return orders
    }

    t.test('retries those that can be, and counts the others', async t => {
      const failed = await placeFailed(2)
      const waiting = await placeOrder(jobs)
      await waiting.set(`status = 'awaiting_mapping', ${problem('unmapped')}`)
      const done = await placeOrder(jobs)
      await done.set("status = 'delivered'")

      const summary = await retry({ since: '2000-01-01T00:00:00.000Z' })

      t.match(summary, {
        dryRun: false,
        matched: 4,
        eligible: 3,
        retried: 3,
        skipped: [{ reason: 'delivered', count: 1 }],
        atMost: false
      })
      t.strictSame(await statusesOf(failed), ['ready', 'ready'])
      t.strictSame((await failed[0]?.events())?.at(-1), 'retried')
      t.match(
        await query('select job_type as type from jobs where request_id = $1 and lane = $2', ['request', 'command']),
        [{ type: 'master.order.create' }, { type: 'master.order.create' }]
      )
    })

    t.test('a dry run says the same and changes nothing', async t => {
      const failed = await placeFailed(2)
      const [first, second] = failed
      await second?.set(problem('connection-deleted'))
      const [before, filter] = [await countJobs(), { code: 'not-created' }]

      const planned = await retry({ since: '2000-01-01T00:00:00.000Z' }, request(), true)
      const one = await retry(filter, request(), true)

      t.match(planned, { dryRun: true, matched: 2, eligible: 2, retried: 0, skipped: { length: 0 }, atMost: false })
      t.strictSame(planned.sample.map(({ id }) => id).toSorted(), failed.map(({ orderId }) => orderId).toSorted())
      t.strictSame(planned.byGroup.map(({ code, count }) => ({ code, count })).toSorted(byCode), [
        { code: 'connection-deleted', count: 1 },
        { code: 'not-created', count: 1 }
      ])
      t.match(one, { eligible: 1, sample: [{ id: first?.orderId }] })
      t.strictSame(await statusesOf(failed), ['failed', 'failed'])
      t.equal(await countJobs(), before)
      t.strictSame(await auditOf(), [])
    })

    t.test('takes each member of the filter', async t => {
      const [first, second] = await placeFailed(2)
      await second?.set(`status = 'awaiting_mapping', created_at = now() - interval '2 days', ${problem('unmapped')}`)
      const ids = async (filter: RetryFilter) => {
        const { sample } = await retry(filter, request(), true)
        return sample.map(({ id }) => id)
      }
      const yesterday = new Date(Date.now() - 86_400_000).toISOString()
      const { externalId } = await first?.read() ?? {}

      for (
        const filter of [
          { connectionId: first?.market },
          { status: ['failed' as const] },
          { code: 'not-created' },
          { externalId },
          { since: yesterday }
        ]
      ) t.strictSame(await ids(filter), [first?.orderId], JSON.stringify(filter))
      t.strictSame(await ids({ until: yesterday }), [second?.orderId])
      t.strictSame(await ids({ status: ['failed', 'awaiting_mapping'] }), [second?.orderId, first?.orderId])
      t.strictSame(await ids({ code: 'not-created', status: ['awaiting_mapping'] }), [])
    })

    t.test('the audit names who wanted what', async t => {
      await placeFailed(2)
      await retry({ code: 'not-created' })
      await retry({ code: 'not-created' })

      t.match(await auditOf(), [{
        name: '2 orders',
        changes: [{ pointer: '/code', to: 'not-created' }]
      }])
    })

    t.test('an order that no shop gets stays failed, and is counted', async t => {
      const [order] = await placeFailed(1)
      await query('update connections set capabilities = $2 where id = $1', [order?.shop, '["InventoryMaster"]'])

      t.match(await retry({ code: 'not-created' }), {
        eligible: 1,
        retried: 0,
        skipped: [{ reason: 'not-created', count: 1 }]
      })
      t.equal((await order?.read())?.status, 'failed')
    })

    t.test('a repetition of the request does nothing twice, and the rest', async t => {
      const failed = await placeFailed(3)
      const [first, second] = failed
      const ids = request()
      const everything = { since: '2000-01-01T00:00:00.000Z' }
      await retryOrder({ database, enqueueJobs }, first?.orderId ?? '', ids)
      await second?.set("status = 'awaiting_mapping'")
      await retryOrder({ database, enqueueJobs }, second?.orderId ?? '', ids)

      const rest = await retry(everything, ids)
      const before = await countJobs()
      const again = await retry(everything, ids)

      t.match(rest, { eligible: 2, retried: 1, skipped: [{ count: 1 }, { count: 1 }] })
      t.strictSame(rest.skipped.map(({ reason }) => reason).toSorted(), ['already-retried', 'ready'])
      t.match(again, { eligible: 1, retried: 0 })
      t.equal(await countJobs(), before)
      t.strictSame((await first?.events())?.filter(event => event === 'retried').length, 1)
    })

    t.test('an order that failed again since stays failed when the request is repeated', async t => {
      const [order] = await placeFailed(1)
      const ids = request()
      await retry({ code: 'not-created' }, ids)
      await query("update jobs set state = null, command_order = null, outcome = 'dead', died_at = now(), " +
        "finished_at = now() where job_type = 'master.order.create'")
      await order?.set(`status = 'failed', ${problem('not-created')}`)

      t.match(await retry({ code: 'not-created' }, ids), {
        retried: 0,
        skipped: [{ reason: 'already-retried', count: 1 }]
      })
      t.equal((await order?.read())?.status, 'failed')
      await retryOrder({ database, enqueueJobs }, order?.orderId ?? '', ids)
      t.equal((await order?.read())?.status, 'failed', 'the same holds for a repeated retry of the order alone')
      t.match(await retry({ code: 'not-created' }), { retried: 1 })
      t.equal((await order?.read())?.status, 'ready')
    })

    t.test('more orders than one request takes are left, the newest first', async t => {
      const failed = await placeFailed(3)
      const retryTwo = open({ most: 2 })
      const everything = { since: '2000-01-01T00:00:00.000Z' }

      t.match(await retryTwo({ filter: everything, dryRun: true }, request()), { eligible: 2, atMost: true })
      t.match(await retryTwo({ filter: everything, dryRun: false }, request()), { retried: 2, atMost: true })
      t.strictSame(await statusesOf(failed), ['ready', 'ready', 'failed'])
      t.match(await retryTwo({ filter: everything, dryRun: false }, request()), { retried: 1, atMost: false })
    })

    t.test('a hub that stops breaks off, and another one does the rest', async t => {
      const failed = await placeFailed(1)
      const ids = request()
      const stopping = open({ stopping: AbortSignal.abort() })

      await t.rejects(stopping({ filter: { code: 'not-created' }, dryRun: false }, ids), { code: 'LNK_HUB_STOPPING' })
      t.strictSame(await statusesOf(failed), ['failed'])
      t.match(await retry({ code: 'not-created' }, ids), { retried: 1 })
    })

    t.test('one that fails is skipped and logged, and the others are retried', async t => {
      const failed = await placeFailed(3)
      const errors: object[] = []
      const retryAll = open({
        log: { error: fields => errors.push(fields) },
        async enqueueJobs (requests, transaction) {
          if (requests.some(({ payload }) => Object.values(payload).includes(failed[1]?.orderId))) {
            throw new Error('a fault in its data')
          }
          return enqueueJobs(requests, transaction)
        }
      })

      t.match(await retryAll({ filter: { code: 'not-created' }, dryRun: false }, request()), {
        eligible: 3,
        retried: 2,
        remaining: 0,
        next: null,
        skipped: [{ reason: 'retry-failed', count: 1 }]
      })
      t.strictSame(await statusesOf(failed), ['ready', 'failed', 'ready'])
      t.match(errors, [{ err: Error, orderId: failed[1]?.orderId }])
    })

    t.test('an error of the database ends the request: a repetition retries the rest', async t => {
      const failed = await placeFailed(2)
      const ids = request()
      let isAway = true
      const retryAll = open({
        async enqueueJobs (requests, transaction) {
          if (isAway) throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
          return enqueueJobs(requests, transaction)
        }
      })
      const body = { filter: { code: 'not-created' }, dryRun: false }
      await t.rejects(retryAll(body, ids), { code: 'ECONNRESET' })
      isAway = false

      t.match(await retryAll(body, ids), { retried: 2 })
      t.strictSame(await statusesOf(failed), ['ready', 'ready'])
    })

    t.test('a request without time left says what remains, and another goes on behind its last order', async t => {
      const [first, second, third] = await placeFailed(3)
      const done = await placeOrder(jobs)
      await done.set("status = 'delivered'")
      await query('update orders set created_at = $2 where id = any($1)', [
        [first?.orderId, second?.orderId, third?.orderId],
        '2026-01-01T00:00:00.123456Z'
      ])
      const ordered = [first, second, third].map(order => order?.orderId ?? '').toSorted()
      const filter = { since: '2000-01-01T00:00:00.000Z' }
      const hurried = open({ mostMs: 0 })
      const one = await hurried({ filter, dryRun: false }, request())
      await query("update orders set status = 'failed' where id = $1", [ordered[0]])
      const two = await hurried({ filter, after: one.next ?? '', dryRun: false }, request())
      const three = await hurried({ filter, after: two.next ?? '', dryRun: false }, request())

      t.match(one, {
        matched: 4,
        eligible: 3,
        retried: 1,
        remaining: 2,
        next: ordered[0],
        skipped: [{ reason: 'delivered', count: 1 }],
        byGroup: [{ count: 1 }],
        atMost: true
      })
      t.match(two, {
        matched: 2,
        eligible: 2,
        retried: 1,
        remaining: 1,
        next: ordered[1],
        skipped: { length: 0 },
        atMost: true
      })
      t.match(three, { matched: 1, eligible: 1, retried: 1, remaining: 0, next: null, atMost: false })
      t.equal(three.skipped.length, 0)
      await t.rejects(hurried({ filter, after: randomUUID(), dryRun: false }, request()), {
        code: 'LNK_ORDER_NOT_FOUND'
      })
    })

    t.test('orders of a deleted or disabled marketplace are skipped', async t => {
      const [active, disabled, deleted] = await placeFailed(3)
      await jobs.setStatus(disabled?.market ?? '', 'disabled')
      await query('update connections set deleted_at = now() where id = $1', [deleted?.market])
      const filter = { code: 'not-created' }
      const expected = {
        matched: 3,
        eligible: 1,
        skipped: [{ reason: 'connection-deleted', count: 1 }, { reason: 'connection-disabled', count: 1 }],
        byGroup: [{ count: 1 }],
        sample: [{ id: active?.orderId }]
      }
      const planned = await retry(filter, request(), true)
      const done = await retry(filter)
      const sorted = ({ skipped, ...summary }: typeof done) => ({
        ...summary,
        skipped: skipped.toSorted((a, b) => a.reason.localeCompare(b.reason))
      })

      t.match(sorted(planned), expected)
      t.match(sorted(done), { ...expected, retried: 1 })
      t.strictSame(
        await Promise.all([active, disabled, deleted].map(async order => (await order?.read())?.status)),
        ['ready', 'failed', 'failed']
      )
    })

    t.test('others are counted up to a limit, and not when only a code says which', async t => {
      const orders = await placeFailed(3)
      for (const order of orders) await order.set("status = 'created'")
      const { externalId = '' } = await orders[0]?.read() ?? {}
      const skippedWith = async (filter: RetryFilter, most?: number) => {
        const { matched, skipped, atMost } = await open(most === undefined ? {} : { most })(
          { filter, dryRun: true },
          request()
        )
        return [matched, ...skipped.map(({ count }) => count), atMost]
      }

      t.strictSame(await skippedWith({ since: '2000-01-01T00:00:00.000Z' }, 2), [2, 2, true])
      t.strictSame(await skippedWith({ since: '2000-01-01T00:00:00.000Z' }, 3), [3, 3, false])
      t.strictSame(await skippedWith({ code: 'not-created' }), [0, false])
      t.strictSame(await skippedWith({ code: 'not-created', externalId }), [1, 1, false])
    })

    t.test('an order that changes meanwhile is skipped by its new status', async t => {
      const [first, second] = await placeFailed(2)
      const cancelling = open({
        async enqueueJobs (requests, transaction) {
          await transaction?.query("update orders set status = 'cancelled' where id = $1", [second?.orderId])
          return enqueueJobs(requests, transaction)
        }
      })

      t.match(await cancelling({ filter: { code: 'not-created' }, dryRun: false }, request()), {
        eligible: 2,
        retried: 1,
        skipped: [{ reason: 'cancelled', count: 1 }]
      })
      t.strictSame(await statusesOf([first, second].filter(order => order !== undefined)), ['ready', 'cancelled'])
    })
  })
}

function byCode (a: { code: string | null }, b: { code: string | null }): number {
  return String(a.code).localeCompare(String(b.code))
}
