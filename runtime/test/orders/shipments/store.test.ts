import t from 'tap'
import {
  hasShipmentNumber,
  insertShipment,
  markBegun,
  markCancelled,
  markCreated,
  markFailed,
  readShipment
} from '../../../src/orders/shipments/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { placeOrder } from '../placed-order.ts'

const tracking = { carrier: 'dpd', number: 'A' }

t.test('the parcel of an order', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('is requested once, whatever a second request says', async t => {
    const { orderId, shop, market } = await placeOrder(jobs)
    t.equal(await readShipment(query, orderId), undefined)
    await insertShipment(query, { orderId, connectionId: shop, problem: undefined })
    await insertShipment(query, { orderId, connectionId: market, problem: 'disabled' })

    t.match(await readShipment(query, orderId), {
      orderId,
      connectionId: shop,
      status: 'requested',
      begunAt: null,
      externalId: null,
      tracking: null,
      problem: null
    })
  })

  t.test('keeps the time of the first attempt, after which the carrier may have it', async t => {
    const { orderId, shop } = await placeOrder(jobs)
    await insertShipment(query, { orderId, connectionId: shop, problem: undefined })
    await markBegun(query, orderId)
    const begunAt = (await readShipment(query, orderId))?.begunAt
    await markBegun(query, orderId)

    t.ok(begunAt)
    t.strictSame((await readShipment(query, orderId))?.begunAt, begunAt)
  })

  t.test('loses its problem when it is made or called back', async t => {
    const { orderId, shop } = await placeOrder(jobs)
    await insertShipment(query, { orderId, connectionId: shop, problem: 'the carrier is disabled' })
    await markFailed(query, orderId, 'refused')
    t.match(await readShipment(query, orderId), { status: 'failed', problem: 'refused' })

    await markCreated(query, orderId, { externalId: '77', tracking })
    t.match(await readShipment(query, orderId), { status: 'created', externalId: '77', tracking, problem: null })
    await markFailed(query, orderId, 'away')
    await markCancelled(query, orderId)
    t.match(await readShipment(query, orderId), { status: 'cancelled', externalId: '77', problem: null })
  })

  t.test('is known by its number, each order by its own', async t => {
    const { orderId, shop } = await placeOrder(jobs)
    const other = await placeOrder(jobs)
    await insertShipment(query, { orderId, connectionId: shop, problem: undefined })
    t.equal(await hasShipmentNumber(query, orderId, 'A'), false)
    await markCreated(query, orderId, { externalId: '77', tracking })

    t.equal(await hasShipmentNumber(query, orderId, 'A'), true)
    t.equal(await hasShipmentNumber(query, orderId, 'B'), false)
    t.equal(await hasShipmentNumber(query, other.orderId, 'A'), false)
  })
})
