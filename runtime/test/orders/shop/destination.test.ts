import type { Order } from '@linker/sdk'
import t from 'tap'
import {
  isCancelledByShop,
  recordDestinationOrders,
  statusJob,
  trackingJob
} from '../../../src/orders/shop/destination.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { orderOf } from '../journal.ts'
import { placeOrder } from '../placed-order.ts'

const order = { id: 'order', connectionId: 'market' }

t.test('what a shop says of an order', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs

  async function open () {
    const placed = await placeOrder(jobs)
    await placed.putAtShop()
    return {
      ...placed,
      says: (...orders: Order[]) =>
        database.transaction(transaction =>
          recordDestinationOrders(transaction, placed.shop, orders, { requestId: 'request' })
        )
    }
  }

  t.test('counts only when the hub made the order there', async t => {
    const { says, read } = await open()
    const before = await read()

    t.strictSame(await says(orderOf('78', { status: 'shipped' })), { known: 0, jobs: [] })
    t.strictSame(await read(), before)
    t.match(await says(orderOf('78'), orderOf('77')), { known: 1 })
  })

  t.test('moves the order on and is told to the marketplace, once and never back', async t => {
    const { says, read, events, orderId, market } = await open()
    const told = async (status: Order['status']) => (await says(orderOf('77', { status }))).jobs

    t.strictSame(await told('processing'), [])
    t.match(await told('delivered'), [{
      jobType: 'marketplace.order.updateStatus',
      connectionId: market,
      payload: { orderId, status: 'delivered' },
      requestId: 'request'
    }])
    t.strictSame([await told('delivered'), await told('shipped')], [[], []])
    t.match(await read(), { status: 'delivered', destinationStatus: 'shipped' })
    t.equal((await events()).filter(event => event === 'shop says').length, 3, 'each change is noted')
  })

  t.test('may hold texts that cannot be stored as they are', async t => {
    const { says, read } = await open()
    await says(orderOf('77', { tracking: { carrier: 'dpd\0', number: 'A' } }))

    t.match(await read(), { tracking: { carrier: 'dpd\ufffd', number: 'A' } })
  })

  t.test('does not cancel an order that the marketplace cancelled already', async t => {
    const { says, set, read } = await open()
    await set("status = 'cancelled'")

    t.strictSame((await says(orderOf('77', { status: 'cancelled' }))).jobs, [])
    t.strictSame((await read()).problems, [])
    t.match(await read(), { status: 'cancelled', destinationStatus: 'cancelled' })
  })
})

t.test('a tracking that comes back is told again, and so is a status when somebody asks', async t => {
  t.not(trackingJob(order, '1').idempotencyKey, trackingJob(order, '2').idempotencyKey)
  t.equal(statusJob(order, 'shipped').idempotencyKey, statusJob(order, 'shipped', 'request').idempotencyKey)
  t.not(statusJob(order, 'shipped').idempotencyKey, statusJob(order, 'delivered').idempotencyKey)
  t.not(statusJob(order, 'cancelled').idempotencyKey, statusJob(order, 'cancelled', undefined, '7').idempotencyKey)
})

t.test('the shop cancels an order that is neither shipped nor over', async t => {
  t.equal(isCancelledByShop({ status: 'created', destinationStatus: 'cancelled' }), true)
  t.equal(isCancelledByShop({ status: 'created', destinationStatus: 'processing' }), false)
  t.equal(isCancelledByShop({ status: 'created', destinationStatus: null }), false)
  for (const status of ['shipped', 'cancelled'] as const) {
    t.equal(isCancelledByShop({ status, destinationStatus: 'cancelled' }), false)
  }
})
