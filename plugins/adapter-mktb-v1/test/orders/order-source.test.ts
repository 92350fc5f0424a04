import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createOrderSource } from '../../src/orders/order-source.ts'
import { createMarketplace, upstream } from '../marketplace.ts'
import { upstreamOrder } from './order.ts'

const { connect, logs } = createMarketplace(t)

function orderSource (orderWriteBack = true) {
  const { client, context } = connect({ orderWriteBack })
  return createOrderSource(client, context)
}

const id = '250102x10002'
const path = `/orders/${id}`
const parcel = { carrier: 'DPD Polska', number: '0000 1234 56789' }

t.test('an unknown order is not found, and no id leads to another path', async t => {
  upstream().get(path).reply(404).get('/orders/a%2Fb').reply(200, upstreamOrder())

  await t.rejects(orderSource().getOrder(id), { code: AdapterErrorCode.notFound })
  t.match(await orderSource().getOrder('a/b'), { externalId: id })
  await t.rejects(orderSource().getOrder('..'), { code: AdapterErrorCode.rejected })
})

t.test('orders are listed by the cursor of the last row, even when that row is unreadable', async t => {
  const pagination = { sortField: 'updated', order: 'ASC', limit: 2 }
  const filter = { field: 'updated', operator: '>=', value: '2025-01-01T00:00:00Z' }
  const unreadable = { id: '250102x10003', cursor: '1735812300;250102x10003' }
  const next = { ...pagination, after: unreadable.cursor }
  upstream()
    .post('/orders/_search', { pagination, filter }).reply(200, [upstreamOrder(), unreadable])
    .post('/orders/_search', { pagination: next, filter }).reply(200, [upstreamOrder()])

  const first = await orderSource().listOrders({ limit: 2, updatedSince: '2025-01-01T00:00:00Z' })
  const second = await orderSource().listOrders({
    limit: 2,
    updatedSince: '2025-01-01T00:00:00Z',
    cursor: first.nextCursor ?? ''
  })

  t.match(first, { items: [{ externalId: id }], nextCursor: '1735812300;250102x10003' })
  t.equal(first.items.length, 1)
  t.match(logs, [{ level: 'warn', fields: { externalId: '250102x10003' } }])
  t.match(second, { items: [{ externalId: id }], nextCursor: undefined })
})

t.test('a walk over orders that would never end is an error', async t => {
  for (const rows of [[upstreamOrder({ cursor: 'same' })], [upstreamOrder({ cursor: null })], {}]) {
    upstream().post('/orders/_search').reply(200, rows)
    await t.rejects(orderSource().listOrders({ limit: 1, cursor: 'same' }), { code: AdapterErrorCode.transient })
  }
})

t.test('statuses and parcels are skipped unless config.orderWriteBack is on', async t => {
  const skipped = { skipped: 'config.orderWriteBack is off', setting: 'orderWriteBack' }

  t.strictSame(await orderSource(false).updateOrderStatus(id, 'shipped'), skipped)
  t.strictSame(await orderSource(false).addTracking(id, parcel), skipped)
})
