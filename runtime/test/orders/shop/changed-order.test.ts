import {
  NotFoundError,
  RejectedError,
  TransientError,
  type Order,
  type OrderChanges,
  type UpdatedOrder
} from '@linker/sdk'
import t from 'tap'
import { coreDeathEffectsOf } from '../../../src/handlers/core-jobs.ts'
import type { JobRequest } from '../../../src/jobs/job.ts'
import { cancelOrder, recordCancelledByShop, settleOrder } from '../../../src/orders/actions.ts'
import { ingestOrder } from '../../../src/orders/ingest-order.ts'
import { forgetBuyers } from '../../../src/orders/personal-data/forget.ts'
import { lockBuyers } from '../../../src/orders/personal-data/store.ts'
import { recordDestinationOrders } from '../../../src/orders/shop/destination.ts'
import { readHistory } from '../../../src/orders/store.ts'
import { createServices, runJob, runningJob } from '../../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { placeOrder } from '../placed-order.ts'
import { readStock } from '../sale.ts'

const zloty = (amount: string) => ({ amount, currency: 'PLN' })
const address = {
  firstName: 'Anna',
  lastName: 'Nowak',
  street: 'Prosta 1',
  postcode: '00-001',
  city: 'Warszawa',
  country: 'PL'
}
const moved = { ...address, street: 'Polna 2', city: 'Krakow' }
const line = (quantity: number, more: Partial<Order['lines'][number]> = {}) => ({
  externalId: '1',
  offerExternalId: 'offer-1',
  name: 'Mug',
  quantity,
  unitPrice: zloty('10.00'),
  ...more
})
const shippedTo = (to: Order['shipping']['address']): Pick<Order, 'shipping'> => ({
  shipping: { ...orderOf('o').shipping, ...to === undefined ? {} : { address: to } }
})
const placed: Partial<Order> = { lines: [line(2)], comment: 'Ring', invoiceAddress: address, ...shippedTo(address) }

type Update = (externalId: string, changes: OrderChanges) => UpdatedOrder | Promise<UpdatedOrder>
const allApplied: Update = () => ({ notApplied: [] })

for (const kind of kinds(t)) {
  t.test(`an order that the marketplace changes after the shop got it, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs

    /** Opens an order for a shop. `update`: what its adapter does; null: it lacks the method. */
    async function open (update: Update | null = allApplied, more: Partial<Order> = {}) {
      const order = await placeOrder(jobs, { ...placed, ...more })
      const { externalId, snapshot } = await order.read()
      const told: OrderChanges[] = []
      const answers = { update }
      const services = createServices(jobs, () => ({
        OrderProcessorManager: {
          createOrder: () => ({ externalId: '77' }),
          findOrder: () => null,
          ...update === null ? {} : {
            updateOrder (id: string, changes: OrderChanges) {
              told.push(changes)
              return answers.update?.(id, changes)
            }
          }
        }
      }))
      const run = ({ jobType, payload, connectionId }: JobRequest) =>
        runJob(services, runningJob(jobType, connectionId, payload))
      let revision = 1
      const [creation] = order.jobs.filter(({ jobType }) => jobType === 'master.order.create')
      /** Returns the jobs that change the order in the shop. */
      async function reads (changes: Partial<Order>, readBy?: string): Promise<JobRequest[]> {
        revision += 1
        const now = { ...snapshot, ...changes, externalId, revision: changes.revision ?? String(revision) }
        const { jobs: following } = await database.transaction(async transaction => {
          const ingested = await ingestOrder(transaction, order.market, now, { readBy })
          await services.enqueueJobs(ingested.jobs, transaction)
          return ingested
        })
        return following.filter(({ jobType }) => jobType === 'master.order.update')
      }
      return {
        ...order,
        told,
        answers,
        run,
        reads,
        create: async () => creation === undefined ? undefined : run(creation),
        shopShows: (shown: Partial<Order>) =>
          database.transaction(transaction =>
            recordDestinationOrders(transaction, order.shop, [{ ...snapshot, ...shown, externalId: '77' }])
          ),
        problems: async () => (await order.read()).problems,
        reserved: async () => (await readStock(jobs, order.variantIdOf('offer-1')))?.reserved
      }
    }
    async function openAtShop (...args: Parameters<typeof open>) {
      const order = await open(...args)
      await order.create()
      return order
    }

    t.test('is changed in the shop, once for each revision', async t => {
      const { reads, run, told, problems, read, events } = await openAtShop()
      const [job, ...others] = await reads({ ...shippedTo(moved), comment: 'Knock' })
      t.match(job, { jobType: 'master.order.update', idempotencyKey: /^order-update:.*:2$/ })
      t.strictSame(others, [])
      if (job === undefined) return
      t.notMatch(job.payload, { changes: {} }, 'a job holds no address')
      t.strictSame(await reads({ ...shippedTo(moved), comment: 'Knock', revision: '2' }), [], 'the same reading')

      t.match(await run(job), { result: { externalId: '77', applied: ['address', 'comment'], notApplied: [] } })
      t.strictSame(told, [{ address: { from: address, to: moved }, comment: { from: 'Ring', to: 'Knock' } }])
      t.match(await run(job), { result: { skipped: /as it is at the marketplace/ } })
      t.equal(told.length, 1)
      t.strictSame(await problems(), [])
      t.equal((await read()).handedOn, null)
      t.match(await events(), [
        'ingested',
        'created',
        'routed',
        'read',
        'changed at the marketplace',
        'changed in the shop'
      ])
    })

    t.test('is not changed when only its status or the form of its reading is new', async t => {
      const { reads, read } = await openAtShop()
      t.strictSame(await reads({ upstreamStatus: 'paid' }), [])
      t.strictSame(await reads({ total: zloty('10.000') }), [])
      t.strictSame(await reads({ ...shippedTo(undefined), comment: undefined }), [], 'the buyer was made anonymous')
      t.equal((await read()).handedOn, null)

      const same = await openAtShop()
      t.strictSame(await same.reads({ ...shippedTo(moved), revision: '1' }), [], 'the adapter reads more than before')
    })

    t.test('is not changed when another version of the adapter reads its next revision', async t => {
      const { reads, read, run } = await openAtShop()
      t.strictSame(await reads({ comment: 'Ring twice' }, 'mkta@1.1.0'), [], 'an older hub kept no version')
      t.match(await read(), { handedOn: null, readBy: 'mkta@1.1.0', problems: { length: 0 } })
      t.strictSame(await reads({ ...shippedTo(moved) }, 'mkta@1.2.0'), [])
      const [job] = await reads(placed, 'mkta@1.2.0')
      t.match(job, { jobType: 'master.order.update' }, 'the next one counts')

      t.match(await reads({ ...placed, comment: 'Knock' }, 'mkta@1.3.0'), [job?.jobType].map(jobType => ({ jobType })))
      if (job !== undefined) t.match(await run(job), { result: { applied: ['address', 'comment'] } })
    })

    t.test('has a problem with both sides of what the shop did not take, until that is settled', async t => {
      const order = await openAtShop(() => ({ notApplied: [{ what: 'total', reason: 'totals stay' }] }))
      const { reads, run, problems, orderId, told } = order
      const [job] = await reads({ ...shippedTo(moved), total: zloty('29.99') })
      if (job === undefined) return t.fail('no job')
      t.match(await run(job), { result: { applied: ['address'], notApplied: ['total'] } })

      const [problem] = await problems()
      t.equal(problem?.code, 'LNK_ORDER_CHANGED')
      t.match(problem?.detail, /total: "10.00 PLN" in the shop, "29.99 PLN" at the marketplace/)
      t.match(problem?.detail, /the hub did not change total there: totals stay; .*linker orders settle/)
      t.notMatch(problem?.detail, /Polna/)

      const [next] = await reads({ ...shippedTo(moved), total: zloty('29.99'), upstreamStatus: 'packed' })
      t.equal(next, undefined, 'nothing is new')
      t.equal((await problems()).length, 1)
      await settleOrder(jobs, orderId)
      t.strictSame(await problems(), [])
      t.equal((await order.read()).handedOn, null)
      t.strictSame(await reads({ ...shippedTo(moved), total: zloty('29.99'), upstreamStatus: 'sent' }), [])
      t.equal(told.length, 1)
    })

    t.test('loses its problem when the buyer takes the change back, and when the shop shows it', async t => {
      const refusing: Update = () => ({ notApplied: [{ what: 'address', reason: 'it is packed' }] })
      const back = await openAtShop(refusing)
      const [job] = await back.reads(shippedTo(moved))
      if (job !== undefined) await back.run(job)
      t.equal((await back.problems()).length, 1)
      t.strictSame(await back.reads({}), [])
      t.strictSame(await back.problems(), [])

      const shown = await openAtShop(refusing)
      const atPoint = { shipping: { ...shippedTo(moved).shipping, pickupPointId: 'X' } }
      const [other] = await shown.reads(atPoint)
      if (other !== undefined) await shown.run(other)
      await shown.shopShows({ ...shippedTo(address), total: zloty('0.00') })
      t.equal((await shown.problems()).length, 1)
      await shown.shopShows(shippedTo({ ...moved, street: 'POLNA 2, Pickup point X', postcode: '00001' }))
      t.strictSame(await shown.problems(), [])
      t.equal((await shown.read()).handedOn, null)
    })

    t.test('keeps a change that waits for the shop when a person settles what a problem tells', async t => {
      const order = await openAtShop(() => ({ notApplied: [{ what: 'total', reason: 'totals stay' }] }))
      const [first] = await order.reads({ total: zloty('29.99') })
      if (first !== undefined) await order.run(first)
      const [waiting] = await order.reads({ total: zloty('29.99'), ...shippedTo(moved), lines: [line(5)] })
      const history = await readHistory(query, order.orderId)
      const changed = history.findLast(({ event }) => event === 'changed at the marketplace')
      t.strictSame(changed?.detail, { changes: ['address', 'lines'] }, 'only what is new')
      await settleOrder(jobs, order.orderId)
      t.strictSame([await order.problems(), await order.reserved()], [[], 3])
      if (waiting !== undefined) await order.run(waiting)
      t.strictSame(Object.keys(order.told.at(-1) ?? {}), ['address', 'lines'])
      t.strictSame([(await order.read()).handedOn, await order.reserved()], [null, 0])

      const other = await openAtShop(null)
      await other.set(`problems = '[{"code": "missing-in-shop", "detail": "it is gone"}]'`)
      await other.reads(shippedTo(moved))
      await settleOrder(jobs, other.orderId)
      t.match(await other.read(), { problems: { length: 0 }, handedOn: { shipping: { address } } })
    })

    t.test('has the problem at once when the shop shipped it, and nothing is tried', async t => {
      for (
        const change of ["destination_status = 'shipped'", "status = 'shipped'", "destination_status = 'cancelled'"]
      ) {
        const order = await openAtShop()
        await order.set(change)
        t.strictSame(await order.reads(shippedTo(moved)), [], change)
        t.match(await order.problems(), [{
          code: 'LNK_ORDER_CHANGED',
          detail: /street: "Prosta 1" in the shop, "Polna 2"/
        }])
        t.equal(order.told.length, 0)
      }
      const late = await openAtShop()
      const [job] = await late.reads(shippedTo(moved))
      await late.set("destination_status = 'shipped'")
      if (job !== undefined) await late.run(job)
      t.equal(late.told.length, 0)
      t.match(await late.problems(), [{ detail: /there: the order is shipped;/ }])
    })

    t.test('has the problem without updateOrder, when the shop refuses, and when the job dies', async t => {
      const without = await openAtShop(null)
      const [job] = await without.reads({ invoiceAddress: moved })
      if (job === undefined) return t.fail('no job')
      await without.run(job)
      t.match(await without.problems(), [{
        detail: /invoice address, street.*the adapter of the shop cannot change orders/
      }])

      const refusing = await openAtShop(() => {
        throw new RejectedError('no such street')
      })
      const [refused] = await refusing.reads(shippedTo(moved))
      if (refused !== undefined) await refusing.run(refused)
      t.match(await refusing.problems(), [{ detail: /there: the shop refuses it: no such street;/ }])

      const dying = await openAtShop(() => {
        throw new NotFoundError('no order 77')
      })
      const [dead] = await dying.reads(shippedTo(moved))
      if (dead === undefined) return t.fail('no job')
      await t.rejects(dying.run(dead), { message: 'no order 77' })
      const running = runningJob(dead.jobType, dead.connectionId, dead.payload)
      const failure = { code: 'LNK_ADAPTER_NOT_FOUND', message: 'no order 77' }
      await database.transaction(async transaction => coreDeathEffectsOf(dead.jobType)?.(transaction, running, failure))
      t.match(await dying.problems(), [{ detail: /delivery address, street.*there: no order 77;/ }])
    })

    t.test('is tried again with all changes when the answer was lost', async t => {
      const { reads, run, told, answers, problems } = await openAtShop(() => {
        throw new TransientError('no answer')
      })
      const [first] = await reads(shippedTo(moved))
      if (first === undefined) return t.fail('no job')
      await t.rejects(run(first), { message: 'no answer' })
      const [second] = await reads({ ...shippedTo(moved), comment: 'Knock' })
      answers.update = allApplied
      await run(first)
      if (second !== undefined) t.match(await run(second), { result: { skipped: /./ } })
      t.strictSame(told.map(changes => Object.keys(changes)), [['address'], ['address', 'comment']])
      t.strictSame(await problems(), [])
    })

    t.test('gets what changed while the shop was being told', async t => {
      const order = await openAtShop()
      const [first] = await order.reads(shippedTo(moved))
      order.answers.update = async () => {
        await order.reads({})
        return { notApplied: [] }
      }
      if (first === undefined) return t.fail('no job')
      t.match(await order.run(first), { jobTypes: ['master.order.update'] }, 'the shop has the address of before')
      t.match(await order.read(), { handedOn: { shipping: { address: moved } }, snapshot: shippedTo(address) })
    })

    t.test('reserves the pieces that the shop lacks, until it has them', async t => {
      const order = await openAtShop(() => ({ notApplied: [{ what: 'lines', reason: 'lines stay' }] }))
      t.equal(await order.reserved(), 0, 'the shop took them')
      const lines = [line(5), line(3, { externalId: '2' })]
      const [job] = await order.reads({ lines })
      t.equal(await order.reserved(), 6, 'at once')
      if (job !== undefined) await order.run(job)
      t.match(order.told, [{
        lines: [{ from: { quantity: 2, variantExternalId: 'offer-1' }, to: { quantity: 5 } }, { to: { quantity: 3 } }]
      }])
      t.match(await order.problems(), [{ detail: /line Mug: "2 at 10.00 PLN" in the shop, "5 at 10.00 PLN" at/ }])
      await order.reads({ lines: [line(4)] })
      t.equal(await order.reserved(), 2)
      await order.reads({ lines: [line(1)] })
      t.equal(await order.reserved(), 0, 'the shop has more than enough')
      await order.reads({ lines })
      t.equal(await order.reserved(), 6)
      await order.shopShows({ lines: [line(8, { externalId: 'row' })] })
      t.strictSame([await order.reserved(), await order.problems()], [0, []])

      const cancelled = await openAtShop(null)
      await cancelled.reads({ lines })
      t.equal(await cancelled.reserved(), 6)
      await cancelled.set("destination_status = 'cancelled'")
      await database.transaction(async transaction => recordCancelledByShop(transaction, cancelled.orderId))
      t.match(await cancelled.read(), { status: 'cancelled' })
      t.equal(await cancelled.reserved(), 0, 'the shop cancelled it')

      const shipping = await openAtShop(null)
      await shipping.reads({ lines })
      t.equal(await shipping.reserved(), 6)
      await shipping.shopShows({ status: 'shipped' })
      t.equal(await shipping.reserved(), 0, 'what was not in the parcel is not sold')
      const settled = await openAtShop(null)
      await settled.reads({ lines })
      await settleOrder(jobs, settled.orderId)
      t.equal(await settled.reserved(), 6, 'it has no problem yet')
      const [open] = await settled.reads({ lines, comment: 'Knock' })
      if (open !== undefined) await settled.run(open)
      await settleOrder(jobs, settled.orderId)
      t.equal(await settled.reserved(), 0)
    })

    t.test('is compared with what the creation handed on', async t => {
      const order = await open()
      await query('update orders set creation_begun_at = now(), handed_on = snapshot where id = $1', [order.orderId])
      await order.reads({ ...shippedTo(moved), lines: [line(3)] })
      const created = await order.create()
      t.notOk(created?.jobTypes.includes('master.order.update'))
      t.match(created, { result: { externalId: '77' } })
      t.equal((await order.read()).handedOn, null, 'the search found none, so the shop got the newest')

      const lost = await open()
      await query('update orders set creation_begun_at = now(), handed_on = snapshot where id = $1', [lost.orderId])
      await lost.reads({ ...shippedTo(moved), lines: [line(3)] })
      const services = createServices(jobs, () => ({
        OrderProcessorManager: { createOrder: () => null, findOrder: () => ({ externalId: '78' }) }
      }))
      const { shop, orderId } = lost
      const { jobTypes } = await runJob(services, runningJob('master.order.create', shop, { orderId }))
      t.ok(jobTypes.includes('master.order.update'), 'an earlier attempt made it')
      t.match(await lost.read(), { handedOn: { lines: [{ quantity: 2 }] } })
      t.equal(await lost.reserved(), 1)

      const fewer = await open()
      await fewer.reads({ lines: [line(3)] })
      await query('update orders set creation_begun_at = now(), handed_on = snapshot where id = $1', [fewer.orderId])
      await fewer.reads({ lines: [line(1)] })
      t.equal(await fewer.reserved(), 1)
      await runJob(services, runningJob('master.order.create', fewer.shop, { orderId: fewer.orderId }))
      t.equal(await fewer.reserved(), 0, 'the shop took more than the order reserves now')
    })

    t.test('is left alone when it is cancelled, and keeps no address of the buyer', async t => {
      const cancelled = await openAtShop(null)
      const [job] = await cancelled.reads(shippedTo(moved))
      if (job !== undefined) await cancelled.run(job)
      await cancelOrder(jobs, cancelled.orderId, { operationId: 'x', requestId: 'request' })
      t.match(await cancelled.read(), { handedOn: null, problems: { length: 0 } })

      const gone = await openAtShop(null)
      await gone.set("destination_status = 'shipped'")
      await gone.reads(shippedTo(moved))
      await database.transaction(async ({ query }) =>
        forgetBuyers(query, await lockBuyers(query, [gone.orderId]), {
          orderJobTypesOf: () => [],
          removeEventTexts: async () => undefined
        })
      )
      const { handedOn, problems } = await gone.read()
      t.match({ handedOn, problems }, { handedOn: null, problems: [{ code: 'LNK_ORDER_CHANGED' }] })
      const stored = JSON.stringify([problems, await readHistory(query, gone.orderId)])
      t.notMatch(stored, /Polna|Prosta|Nowak/)
      t.strictSame(await gone.reads({ ...shippedTo(moved), comment: 'Knock' }), [])
      t.equal((await gone.read()).handedOn, null)
    })
  })
}
