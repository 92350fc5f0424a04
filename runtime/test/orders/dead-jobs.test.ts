import { NotFoundError } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { coreDeathEffectsOf, jobHandlerOf } from '../../src/handlers/core-jobs.ts'
import { cancelOrder } from '../../src/orders/actions.ts'
import { orderIdOf } from '../../src/orders/ingest-order.ts'
import { recordStock } from '../../src/stock/record-stock.ts'
import { createServices, runJob, runningJob, type Abilities } from '../handlers/fake-adapter.ts'
import { drained, kinds, openJobsFor } from '../jobs/support.ts'
import { orderOf } from './journal.ts'
import { problemDetails } from './statements.ts'

const tracking = { carrier: 'dpd', number: '123' }
const tellings = ['master.order.addTracking', 'marketplace.order.addTracking', 'marketplace.order.updateStatus']

for (const kind of kinds(t)) {
  t.test(`an effect that is missing because its job died, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database

    /**
     * Opens an order that the shop has, and a worker. While `isAway`, the platforms refuse every
     * call for good. `calls` lists the accepted calls.
     */
    async function openOrder () {
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
      await query(
        `
        insert into offers (
          id, connection_id, variant_id, external_id, status,
          frozen_fields, problems, created_at, updated_at
        )
        values ($1, $2, $3, 'offer-1', 'ACTIVE', '[]', '[]', now(), now())`,
        [randomUUID(), market, variantIdOf(shop, 'p', 'v')]
      )
      const state = { isAway: false, calls: [] as string[] }
      const method = (name: string) => () => {
        if (state.isAway) throw new NotFoundError(`${name}: no such page`)
        state.calls.push(name)
      }
      const abilities: Record<string, Abilities> = {
        [shop]: {
          OrderProcessorManager: {
            createOrder: () => ({ externalId: '77' }),
            findOrder: () => null,
            cancelOrder: method('cancel'),
            addTracking: method('shop tracking')
          }
        },
        [market]: {
          Marketplace: { getOrder: () => orderOf('o1') },
          OrderProcessorManager: { updateOrderStatus: method('status'), addTracking: method('tracking') }
        }
      }
      const services = createServices(jobs, id => abilities[id] ?? {})
      await runJob(services, runningJob('marketplace.order.syncByExternalId', market, { externalId: 'o1' }))
      const id = orderIdOf(market, 'o1')
      await runJob(services, runningJob('master.order.create', shop, { orderId: id }))
      await query(`
        update jobs set finished_at = now(), outcome = 'succeeded', state = null, command_order = null
        where finished_at is null`)
      await query('update orders set tracking = $2 where id = $1', [id, JSON.stringify(tracking)])
      const isAbout = (jobType: string) => /^(master|marketplace)\.order\.|^fulfilment\./.test(jobType)
      jobs.startWorker(async () => ({}), {
        findDeathEffects: coreDeathEffectsOf,
        findHandler: jobType => async job =>
          await (isAbout(jobType) ? jobHandlerOf(jobType, services) : undefined)?.(job) ?? {}
      })
      return {
        state,
        id,
        cancel: async (operationId = randomUUID()) => {
          const options = { database: jobs.database, enqueueJobs: services.enqueueJobs }
          const jobIds = await cancelOrder(options, id, { operationId, requestId: 'request' })
          await drained(jobs)
          return jobIds
        },
        tell: async (orderId: unknown = id) => {
          const requests = tellings.map(jobType => ({
            jobType,
            connectionId: jobType.startsWith('master') ? shop : market,
            payload: { orderId, status: 'shipped' },
            idempotencyKey: randomUUID()
          }))
          await services.enqueueJobs(requests)
          await drained(jobs)
        },
        order: async () =>
          (await query<{ status: string, problems: string[] }>(
            `select status, ${problemDetails} from orders where id = $1`,
            [
              id
            ]
          ))[0]
      }
    }

    t.test('is a problem of the order, noted once, until a later job succeeds', async t => {
      const { state, tell, order } = await openOrder()
      state.isAway = true
      for (const turn of ['first', 'again']) {
        await tell()
        t.strictSame(
          new Set((await order())?.problems),
          new Set([
            'the shop did not get the tracking number: shop tracking: no such page',
            'the marketplace did not get the tracking number: tracking: no such page',
            'the marketplace was not told that the order is shipped: status: no such page'
          ]),
          turn
        )
      }
      t.equal((await order())?.problems.length, 3)

      state.isAway = false
      await tell()
      t.strictSame((await order())?.problems, [])
    })

    t.test('is no problem of any order when the payload names none', async t => {
      const { tell, order } = await openOrder()
      for (const orderId of ['no id', randomUUID(), 7]) await tell(orderId)
      t.strictSame((await order())?.problems, [])
      t.match(await query("select outcome from jobs where payload ->> 'orderId' = 'no id'"), [{ outcome: 'dead' }, {
        outcome: 'dead'
      }, { outcome: 'dead' }])
    })

    t.test('a death of a cancellation happens once when the operator cancels again', async t => {
      const { state, cancel, order } = await openOrder()
      state.isAway = true
      const first = await cancel()
      t.equal((await order())?.status, 'cancelled')
      t.match((await order())?.problems.toSorted(), [
        /^the marketplace was not told that the order is cancelled/,
        /^the order was not cancelled in the shop: cancel: no such page/
      ])

      state.isAway = false
      const operationId = randomUUID()
      const second = await cancel(operationId)
      t.notOk(second.some(id => first.includes(id)))
      t.strictSame([state.calls.toSorted(), (await order())?.problems], [['cancel', 'status'], []])
      await cancel(operationId)
      await cancel()
      t.equal(state.calls.filter(name => name === 'cancel').length, 1)
    })

    t.test('a cancelled job of a cancellation counts as one that died', async t => {
      const { state, cancel, order } = await openOrder()
      state.isAway = true
      const first = await cancel()
      await query("update jobs set outcome = 'cancelled', died_at = null where id = any($1::uuid[])", [first])

      state.isAway = false
      await cancel()
      t.strictSame([state.calls.toSorted(), (await order())?.problems], [['cancel', 'status'], []])
    })
  })
}
