import type { Order, Tracking } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { orderIdOf } from '../../src/orders/ingest-order.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { createServices, handle, runJob, runningJob, type Abilities } from '../handlers/fake-adapter.ts'
import { kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { problemDetails } from './statements.ts'

const capabilities = '["Marketplace", "OrderProcessorManager"]'
const tracking: Tracking = { carrier: 'dpd', number: '123' }

for (const kind of kinds(t)) {
  t.test(`a marketplace with OrderProcessorManager, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /**
     * Opens a marketplace with an offer of a variant. A shop masters it, or the marketplace itself.
     */
    async function openMarket ({ isOwnMaster = false, shopMethods = ['createOrder'] } = {}) {
      const [shop, market] = [await jobs.addConnection(), await jobs.addConnection()]
      await query('update connections set capabilities = $2 where id = $1', [market, capabilities])
      await query(
        'update connections set capabilities = \'["InventoryMaster", "OrderProcessorManager"]\' where id = $1',
        [shop]
      )
      const master = isOwnMaster ? market : shop
      const [{ now = '' } = {}] = await query<{ now: string }>('select clock_timestamp()::text as now')
      await recordStock(jobs.database, { id: randomUUID(), connectionId: master, claimedAt: now }, [{
        productExternalId: 'p',
        variantExternalId: 'v',
        quantity: 5
      }])
      await query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [randomUUID(), market, variantIdOf(master, 'p', 'v')]
      )
      const told: unknown[][] = []
      const created: string[] = []
      const state: { order: Order, writeBack: unknown } = { order: orderOf('o1'), writeBack: undefined }
      const tell = (method: string) => (...args: unknown[]) => {
        told.push([method, ...args])
        return state.writeBack
      }
      const createOrder = ({ externalId }: { externalId: string }) => {
        created.push(externalId)
        return { externalId: '77' }
      }
      const abilities: Record<string, Abilities> = {
        [market]: {
          Marketplace: { getOrder: () => state.order },
          OrderProcessorManager: {
            getOrder: () => state.order,
            updateOrderStatus: tell('status'),
            addTracking: tell('tracking')
          },
          jobs: { 'market.events': () => ({ orders: [orderOf('o2')] }) }
        },
        [shop]: { OrderProcessorManager: Object.fromEntries(shopMethods.map(name => [name, createOrder])) }
      }
      const services = createServices(jobs, id => abilities[id] ?? {})
      const orderId = orderIdOf(market, 'o1')
      return {
        shop,
        market,
        services,
        state,
        told,
        created,
        orderId,
        sync: () => runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId: 'o1' })),
        create: () => runJob(services, runningJob('master.order.create', shop, { orderId })),
        order: async (externalId = 'o1') =>
          (await query<{ status: string, problems: string[], destination: string | null }>(
            `select status, ${problemDetails}, destination_connection_id as destination from orders where id = $1`,
            [orderIdOf(market, externalId)]
          ))[0]
      }
    }

    t.test('is told the status and the parcel, and may answer nothing or that it skipped them', async t => {
      const { services, market, orderId, sync, told, state } = await openMarket()
      await sync()
      await query('update orders set tracking = $2 where id = $1', [orderId, JSON.stringify(tracking)])
      const tellStatus = () =>
        runJob(
          services,
          runningJob('marketplace.order.updateStatus', market, { orderId, status: 'shipped' })
        )
      const tellTracking = () => runJob(services, runningJob('marketplace.order.addTracking', market, { orderId }))

      t.match(await tellStatus(), { result: { told: 'shipped' } })
      t.match(await tellTracking(), { result: { told: tracking } })
      t.strictSame(told, [['status', 'o1', 'shipped'], ['tracking', 'o1', tracking]])
      state.writeBack = { skipped: 'switched off' }
      t.match(await tellStatus(), { result: { skipped: 'switched off' } })
    })

    t.test('does not get its own orders: they go to the shop of their variants', async t => {
      const { shop, sync, create, created, order, services, market } = await openMarket()
      t.match(await sync(), { jobTypes: ['inventory.propagateToMarketplaces', 'master.order.create'] })
      t.match(await order(), { status: 'ready', destination: shop })
      await create()
      t.match(await order(), { status: 'created' })
      t.strictSame(created, ['o1'])

      await runJob(services, runningJob('market.events', market))
      t.match(await order('o2'), { status: 'ready', destination: shop }, 'orders from its own jobs are ingested, too')
    })

    t.test('does not get its own orders even when it masters the variants: the order says so', async t => {
      const { sync, order } = await openMarket({ isOwnMaster: true })
      const { jobTypes } = await sync()

      t.notOk(jobTypes.includes('master.order.create'))
      t.match(await order(), { status: 'failed', destination: null, problems: [/the marketplace itself/] })
    })

    t.test('a shop that cannot create orders gets none, and no attempt begins', async t => {
      const { sync, create, created, orderId } = await openMarket({ shopMethods: ['getOrder'] })
      await sync()

      await t.rejects(create(), { code: 'LNK_CAPABILITY_NOT_SUPPORTED', message: /OrderProcessorManager\.createOrder/ })
      t.strictSame(created, [])
      t.match(await query('select creation_begun_at as begun from orders where id = $1', [orderId]), [{ begun: null }])
    })

    t.test('an order that is paid, unpaid and paid again is made, although its first job found it unpaid', async t => {
      const { sync, create, created, state, services, orderId, shop } = await openMarket()
      const creations = () =>
        query<{ id: string }>("select id from jobs where job_type = 'master.order.create' and connection_id = $1", [
          shop
        ])
      const becomes = async (status: Order['status'], revision: string) => {
        state.order = orderOf('o1', { status, revision })
        await sync()
      }
      await becomes('processing', '1')
      await becomes('pending', '2')
      t.match(await create(), { result: { skipped: 'the order is pending' }, jobTypes: { length: 0 } })
      await query("update jobs set finished_at = now(), outcome = 'succeeded' where job_type = 'master.order.create'")
      await becomes('processing', '3')
      await sync()
      t.equal((await creations()).length, 2)

      // The job looks while the order is unpaid, and ends when it is paid.
      await becomes('pending', '4')
      const outcome = await handle(services, runningJob('master.order.create', shop, { orderId }))
      await becomes('processing', '5')
      t.match(await services.database.transaction(async transaction => outcome.effects?.(transaction)), [{
        jobType: 'master.order.create',
        payload: { orderId }
      }])
      await create()
      t.strictSame(created, ['o1'])
    })
  })
}
