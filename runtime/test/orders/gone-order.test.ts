import { NotFoundError, type Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { cancelOrder } from '../../src/orders/actions.ts'
import { orderIdOf } from '../../src/orders/ingest-order.ts'
import { release } from '../../src/orders/lines/reservations.ts'
import { addHistory } from '../../src/orders/store.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { createServices, runJob, runningJob } from '../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { problemDetails } from './statements.ts'

const problem = /the marketplace has answered for an hour that it does not know the order\. Look there/

for (const kind of kinds(t)) {
  t.test(`an order that its marketplace does not know, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace that offers a variant with five pieces. `has` holds its orders. */
    async function openMarket (orders: { keepsLineIds?: true } = {}) {
      const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
      await query(
        'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
        [shop]
      )
      const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
      await recordStock(jobs.database, { id: randomUUID(), connectionId: shop, claimedAt: now }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      const variantId = variantIdOf(shop, 'p', 'v')
      await query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [randomUUID(), market, variantId]
      )
      const has = new Map<string, Order>()
      const services = createServices(jobs, () => ({
        Marketplace: {
          getOrder (externalId: string) {
            const order = has.get(externalId)
            if (order === undefined) throw new NotFoundError('no such order')
            return order
          }
        }
      }), orders)
      const order = async (externalId: string) => {
        const [row] = await query<
          { status: string, source: string, cancelledAt: Date | null, problems: string[], events: string[] }
        >(
          `
          select
            status, source_status as source, cancelled_at as "cancelledAt", ${problemDetails},
            (select jsonb_agg(event order by id) from order_history where order_id = orders.id) as events
          from orders
          where id = $1`,
          [orderIdOf(market, externalId)]
        )
        return row
      }
      return {
        has,
        order,
        idOf: (externalId: string) => orderIdOf(market, externalId),
        /** Returns the number of jobs that make an order in the shop. */
        creations: async () =>
          (await query("select id from jobs where connection_id = $1 and job_type = 'master.order.create'", [shop]))
            .length,
        endJobs: () =>
          query('update jobs set finished_at = now() where connection_id = $1 and finished_at is null', [shop]),
        sync: (externalId: string, more: { isAskedAgain?: true } = {}) =>
          runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId, ...more })),
        set: (externalId: string, change: string) =>
          query(`update orders set ${change} where id = $1`, [orderIdOf(market, externalId)]),
        /** Cancels an order as earlier versions of the hub did. */
        loseAsBefore: (externalId: string) =>
          jobs.database.transaction(async transaction => {
            const id = orderIdOf(market, externalId)
            await transaction.query("update orders set status = 'cancelled', source_status = 'gone' where id = $1", [
              id
            ])
            await addHistory(transaction.query, id, 'gone from the marketplace')
            await release(transaction, id, {})
          }),
        /** Returns in how many minutes the hub asks again. */
        asked: async () =>
          (await query<{ minutes: number }>(
            `select round(extract(epoch from due_at - created_at) / 60)::integer as minutes
            from jobs
            where connection_id = $1 and job_type = 'marketplace.order.syncByExternalId'
            order by minutes`,
            [market]
          )).map(({ minutes }) => minutes),
        reserved: async () =>
          (await query<{ reserved: number }>('select reserved from stock where variant_id = $1', [variantId]))[0]
            ?.reserved
      }
    }

    t.test('is asked for again when the hub does not know it either: it may be new', async t => {
      const { has, sync, order, asked } = await openMarket()

      t.match(await sync('new'), { result: { skipped: 'the marketplace does not know the order' } })
      t.strictSame(await asked(), [15, 60])
      t.match(await sync('new', { isAskedAgain: true }), { jobTypes: { length: 0 } })
      await sync('new')
      t.strictSame(await asked(), [15, 15, 60, 60], 'because of another event')
      t.equal(await order('new'), undefined)

      has.set('new', orderOf('new'))
      await sync('new', { isAskedAgain: true })
      t.match(await order('new'), { status: 'ready' })
    })

    t.test('changes nothing at first: the hub asks again after 15 minutes and after an hour', async t => {
      const { has, sync, order, reserved, asked } = await openMarket()
      has.set('first', orderOf('first', { status: 'pending' }))
      await sync('first')
      has.clear()

      t.match(await sync('first'), {
        result: { status: 'pending', skipped: /asks again in 15 minutes and in an hour/ },
        jobTypes: ['marketplace.order.syncByExternalId', 'marketplace.order.syncByExternalId']
      })
      t.match(await order('first'), {
        status: 'pending',
        source: 'pending',
        problems: { length: 0 },
        events: ['ingested', 'unknown at the marketplace']
      })
      t.equal(await reserved(), 1)
      t.strictSame(await asked(), [15, 60])
      t.match(await sync('first'), { jobTypes: { length: 0 } }, 'an event that comes meanwhile')
      t.strictSame(await asked(), [15, 60])

      has.set('first', orderOf('first', { status: 'pending' }))
      await sync('first')
      has.clear()
      await sync('first')
      t.strictSame(await asked(), [15, 15, 60, 60], 'the next time begins with another question')
    })

    t.test('has a problem after an hour, and is never cancelled; a reading takes the problem back', async t => {
      const { has, sync, order, set, reserved } = await openMarket()
      const orders = {
        'pending': orderOf('pending', { status: 'pending' }),
        'ready': orderOf('ready'),
        'restored': orderOf('restored'),
        'begun': orderOf('begun'),
        'in shop': orderOf('in shop')
      }
      for (const [externalId, found] of Object.entries(orders)) {
        has.set(externalId, found)
        await sync(externalId)
      }
      await set('restored', 'searched_since = now()')
      await set('begun', 'creation_begun_at = now()')
      await set('in shop', "status = 'created', destination_external_id = '77', creation_begun_at = now()")
      const before = await reserved()
      const statuses = {
        'pending': 'pending',
        'ready': 'ready',
        'restored': 'ready',
        'begun': 'ready',
        'in shop': 'created'
      }

      has.clear()
      for (const [externalId, status] of Object.entries(statuses)) {
        await sync(externalId)
        await set(externalId, "unknown_since = now() - interval '1 hour'")
        t.match(await sync(externalId), { result: { status, problem: /for an hour/ }, jobTypes: { length: 0 } })
        t.match(await sync(externalId), { result: { status, skipped: /does not know/ }, jobTypes: { length: 0 } })
        t.match(await order(externalId), {
          status,
          problems: [problem],
          events: ['ingested', 'unknown at the marketplace', 'problem']
        }, externalId)
      }
      t.equal(await reserved(), before)

      for (const [externalId, found] of Object.entries(orders)) {
        has.set(externalId, found)
        await sync(externalId)
        t.match(await order(externalId), { status: statuses[externalId as keyof typeof statuses], problems: [] })
      }
    })

    t.test('names the orders that have its lines, where line ids are kept', async t => {
      const { has, sync, order, set } = await openMarket({ keepsLineIds: true })
      const [line] = orderOf('').lines
      if (line === undefined) throw new Error('an order has a line')
      const lines = (...ids: string[]) => ids.map(externalId => ({ ...line, externalId }))
      has.set('old', orderOf('old', { lines: lines('a', 'b') }))
      has.set('alone', orderOf('alone', { lines: lines('c') }))
      await sync('old')
      await sync('alone')
      has.clear()
      has.set('both', orderOf('both', { lines: lines('a', 'b', 'd') }))
      await sync('both')
      for (const externalId of ['old', 'alone']) {
        await sync(externalId)
        await set(externalId, "unknown_since = now() - interval '1 hour'")
        await sync(externalId)
      }

      const { problems = [] } = await order('old') ?? {}
      t.match(problems.at(-1), /, and order 'both' has lines of it\. Look there/)
      t.match(await order('alone'), { problems: [/, and no other order has its lines\. Look there/] })
    })

    t.test('comes back when an earlier version of the hub cancelled it: another job makes it', async t => {
      const { has, sync, order, creations, endJobs, reserved, loseAsBefore } = await openMarket()
      const paid = orderOf('back')
      has.set('back', paid)
      await sync('back')
      for (const turn of [1, 2, 3]) {
        await endJobs()
        await loseAsBefore('back')

        has.set('back', paid)
        t.match(
          await sync('back'),
          { jobTypes: ['inventory.propagateToMarketplaces', 'master.order.create'] },
          `turn ${turn}`
        )
        t.match(await order('back'), { status: 'ready', source: 'processing', cancelledAt: null })
        t.equal(await reserved(), 1)
        t.equal(await creations(), turn + 1, 'the job has a key of its own')
      }
      await sync('back')
      t.equal(await creations(), 4, 'another reading makes no other job')
    })

    t.test('stays cancelled when it comes back cancelled, or when the operator cancels it as well', async t => {
      const { has, sync, order, idOf, loseAsBefore } = await openMarket()
      for (const externalId of ['there', 'here']) {
        has.set(externalId, orderOf(externalId))
        await sync(externalId)
      }
      for (const externalId of ['there', 'here']) await loseAsBefore(externalId)
      has.set('there', orderOf('there', { status: 'cancelled' }))
      await sync('there')
      await cancelOrder(jobs, idOf('here'), { operationId: randomUUID(), requestId: 'request' })

      for (const externalId of ['there', 'here']) {
        has.set(externalId, orderOf(externalId))
        await sync(externalId)
        t.match(await order(externalId), { status: 'cancelled', source: 'processing' }, externalId)
      }
    })
  })
}
