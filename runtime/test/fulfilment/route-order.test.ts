import { carrierCapability } from '@linker/sdk'
import t from 'tap'
import { routeOrder } from '../../src/fulfilment/route-order.ts'
import { lockRuleSet, storeRules } from '../../src/fulfilment/store.ts'
import { ingestOrder } from '../../src/orders/ingest-order.ts'
import { readShipment } from '../../src/orders/shipments/store.ts'
import { readHistory, readOrder } from '../../src/orders/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { orderOf } from '../orders/journal.ts'

t.test('a routed order', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** Opens an order for delivery method `locker`, and a carrier that a rule names for `rule`. */
  async function open (rule: string) {
    const [market, carrier] = [await jobs.addConnection(), await jobs.addConnection()]
    await query('update connections set capabilities = $2 where id = $1', [
      carrier,
      JSON.stringify([carrierCapability])
    ])
    await lockRuleSet(query, market)
    await storeRules(query, market, [{
      sourceDeliveryMethodId: rule,
      processorKind: 'hub_managed_carrier',
      processorConnectionId: carrier
    }])
    const { orderId } = await database.transaction(transaction => ingestOrder(transaction, market, orderOf('o1')))
    return {
      carrier,
      orderId,
      async route () {
        const order = await readOrder(query, orderId)
        return order === undefined ? [] : routeOrder(database, order, 'request')
      },
      shipment: () => readShipment(query, orderId),
      problems: async () => (await readOrder(query, orderId))?.problems.filter(({ code }) => code === 'routing'),
      routes: async () => (await readHistory(query, orderId)).filter(({ event }) => event === 'routed')
    }
  }

  t.test('gets a shipment and the job that makes it, once', async t => {
    const { orderId, carrier, route, shipment, problems, routes } = await open('locker')
    const [job, ...others] = await route()

    t.match(job, {
      jobType: 'fulfilment.shipment.create',
      connectionId: carrier,
      payload: { orderId },
      idempotencyKey: `shipment-create:${orderId}`,
      requestId: 'request'
    })
    t.equal(others.length, 0)
    t.match(await shipment(), { connectionId: carrier, status: 'requested', problem: null })
    t.match(await routes(), [{ detail: { processorKind: 'hub_managed_carrier', processorConnectionId: carrier } }])
    t.notOk('carrierId' in ((await routes())[0]?.detail ?? {}), 'the history is for people')
    t.strictSame(await problems(), [])
    t.strictSame(await route(), [job])
  })

  t.test('waits with a problem while its carrier is disabled', async t => {
    const { carrier, route, shipment, problems } = await open('locker')
    await jobs.setStatus(carrier, 'disabled')

    t.match(await route(), [{ connectionId: carrier }])
    t.match(await problems(), [{ code: 'routing', detail: /is disabled/ }])
    t.match(await shipment(), { status: 'requested', problem: /is disabled/ })
  })

  t.test('without a rule is left to the shop', async t => {
    const { route, shipment, routes } = await open('courier')

    t.strictSame(await route(), [])
    t.equal(await shipment(), undefined)
    t.match(await routes(), [{ detail: { processorKind: 'omp_fulfilled' } }])
  })
})
