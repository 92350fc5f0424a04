import { NotFoundError, type Order } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { cancelOrder } from '../../src/orders/actions.ts'
import { orderIdOf } from '../../src/orders/ingest-order.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { createServices, runJob, runningJob } from '../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { problemDetails } from './statements.ts'

const problem = 'the marketplace does not know it any more'

for (const kind of kinds(t)) {
  t.test(`an order that its marketplace does not know, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /** Opens a marketplace that offers a variant with five pieces. `has` holds its orders. */
    async function openMarket () {
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
      }))
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
        sync: (externalId: string) =>
          runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId })),
        set: (externalId: string, change: string) =>
          query(`update orders set ${change} where id = $1`, [orderIdOf(market, externalId)]),
        reserved: async () =>
          (await query<{ reserved: number }>('select reserved from stock where variant_id = $1', [variantId]))[0]
            ?.reserved
      }
    }

    t.test('is skipped when the hub does not know it either', async t => {
      const { sync, order } = await openMarket()

      t.match(await sync('unknown'), {
        result: { skipped: 'the marketplace does not know the order' },
        jobTypes: { length: 0 }
      })
      t.equal(await order('unknown'), undefined)
    })

    t.test('is cancelled when it is not in the shop, and a joint payment reserves its pieces once', async t => {
      const { has, sync, order, reserved } = await openMarket()
      for (const externalId of ['first', 'second']) {
        has.set(externalId, orderOf(externalId, { status: 'pending' }))
        await sync(externalId)
      }
      t.equal(await reserved(), 2)

      has.clear()
      const [line] = orderOf('').lines
      if (line === undefined) throw new Error('an order has a line')
      has.set('both', orderOf('both', { lines: [line, { ...line, externalId: '2' }] }))
      t.match(await sync('both'), { jobTypes: ['inventory.propagateToMarketplaces', 'master.order.create'] })
      for (const externalId of ['first', 'second']) {
        t.match(await sync(externalId), {
          result: { status: 'cancelled', problem },
          jobTypes: ['inventory.propagateToMarketplaces']
        })
        t.match(await order(externalId), {
          status: 'cancelled',
          problems: { length: 0 },
          events: ['ingested', 'gone from the marketplace']
        })
      }
      t.equal(await reserved(), 2)
      t.match(await sync('first'), { result: { status: 'cancelled', skipped: problem }, jobTypes: { length: 0 } })
    })

    t.test('comes back when it is read again: its pieces are reserved, and another job makes it', async t => {
      const { has, sync, order, creations, endJobs, reserved } = await openMarket()
      const paid = orderOf('back')
      has.set('back', paid)
      await sync('back')
      for (const turn of [1, 2, 3]) {
        await endJobs()
        has.clear()
        await sync('back')
        t.match(await order('back'), { status: 'cancelled', source: 'gone' })
        t.equal(await reserved(), 0)

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
      const { has, sync, order, idOf } = await openMarket()
      for (const externalId of ['there', 'here']) {
        has.set(externalId, orderOf(externalId))
        await sync(externalId)
      }
      has.clear()
      for (const externalId of ['there', 'here']) await sync(externalId)
      has.set('there', orderOf('there', { status: 'cancelled' }))
      await sync('there')
      await cancelOrder(jobs, idOf('here'), { operationId: randomUUID(), requestId: 'request' })

      for (const externalId of ['there', 'here']) {
        has.set(externalId, orderOf(externalId))
        await sync(externalId)
        t.match(await order(externalId), { status: 'cancelled', source: 'processing' }, externalId)
      }
    })

    t.test('is cancelled, and searched for in the shop, when only a restore made it unsure', async t => {
      const { has, sync, order, set, reserved } = await openMarket()
      has.set('restored', orderOf('restored'))
      await sync('restored')
      await set('restored', 'searched_since = now()')

      has.clear()
      t.ok((await sync('restored')).jobTypes.includes('master.order.create'))
      t.match(await order('restored'), { status: 'cancelled', problems: [] })
      t.equal(await reserved(), 0)
    })

    t.test('stays with one problem when the shop has it or may have it', async t => {
      const { has, sync, order, set, reserved } = await openMarket()
      for (const externalId of ['in shop', 'begun']) {
        has.set(externalId, orderOf(externalId))
        await sync(externalId)
      }
      await set('in shop', "status = 'created', destination_external_id = '77', creation_begun_at = now()")
      await set('begun', 'creation_begun_at = now()')

      has.clear()
      for (const [externalId, status] of [['in shop', 'created'], ['begun', 'ready']] as const) {
        for (const turn of ['first', 'again']) {
          t.match(
            await sync(externalId),
            { result: { status, problem }, jobTypes: { length: 0 } },
            `${externalId}, ${turn}`
          )
        }
        t.match(await order(externalId), { status, problems: [problem], events: ['ingested', 'problem'] })
      }
      t.equal(await reserved(), 2)
    })
  })
}
