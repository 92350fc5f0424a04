import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createOrderSource } from '../../src/orders/order-source.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect, logs } = createMarketplace(t)

function orderSource () {
  const { client, context } = connect()
  return createOrderSource(client, context)
}

const message = (id: string, members: object) => ({
  id,
  shopId: 1234,
  created: '2025-01-02T10:05:01.000Z',
  read: false,
  ...members
})
const occurredAt = '2025-01-02T10:05:01.000Z'

t.test('messages of every type are events, oldest first; only order messages name an order', async t => {
  upstream().get('/inbox').reply(200, [
    message('c', { type: 'orderStatusChanged', payload: { id: '250102x10002', status: 'cancelled' } }),
    message('d', { type: 'orderCreated', payload: { id: '250102x10001' }, created: '2025-01-02T10:05:00Z' }),
    message('b', { type: 'productsNeedSync', payload: { id: 'b6d767d2', externalProductIds: ['hub-variant-1'] } }),
    message('a', { type: 'productsNeedSync', payload: { externalProductIds: ['hub-variant-1'] } }),
    message('e', { type: 'orderCreated', payload: 'what', created: 'yesterday' }),
    message('g', {
      type: 'orderSellerStatusChanged',
      payload: { id: '250102x10003' },
      created: '2025-01-02T10:04:00Z'
    }),
    message('i', {
      type: 'orderDisputeOpened',
      payload: { id: '250102x10004' },
      created: '2025-01-02T10:04:02.000Z'
    }),
    message('j', { type: 'orderReportReady', payload: { id: 'b6d767d2' }, created: '2025-01-02T10:04:03.000Z' }),
    message('h', { type: 'shopTermsChanged', payload: { id: '7' }, created: '2025-01-02T10:04:01Z' }),
    message('f', { type: 7, created: undefined })
  ])

  t.strictSame(await orderSource().listUnread({ limit: 9 }), [
    { eventId: 'e', occurredAt: '1970-01-01T00:00:00.000Z' },
    { eventId: 'f', occurredAt: '1970-01-01T00:00:00.000Z' },
    { eventId: 'g', orderExternalId: '250102x10003', occurredAt: '2025-01-02T10:04:00.000Z' },
    { eventId: 'h', occurredAt: '2025-01-02T10:04:01.000Z' },
    { eventId: 'i', orderExternalId: '250102x10004', occurredAt: '2025-01-02T10:04:02.000Z' },
    { eventId: 'j', occurredAt: '2025-01-02T10:04:03.000Z' },
    { eventId: 'd', orderExternalId: '250102x10001', occurredAt: '2025-01-02T10:05:00.000Z' },
    { eventId: 'a', occurredAt },
    { eventId: 'b', occurredAt }
  ])
  t.match(logs, [{ level: 'warn', fields: { eventId: 'e' } }, { level: 'warn', fields: { eventId: 'j' } }])
})

t.test('a message that cannot be marked as read is left out with a warning', async t => {
  upstream().get('/inbox').reply(200, [
    null,
    { id: '' },
    message('a', { type: 'orderCreated', payload: { id: '250102x10001' } })
  ])

  t.match(await orderSource().listUnread({ limit: 10 }), [{ eventId: 'a' }])
  t.match(logs, [{ level: 'warn', fields: { messages: 2 } }])
})

t.test('events are marked by their ids, 500 at once, and again after a transient fault', async t => {
  const ids = Array.from({ length: 501 }, (_, index) => `m${index}`)
  upstream()
    .post('/inbox/mark-read', { ids: ids.slice(0, 500) }).reply(503)
    .post('/inbox/mark-read', { ids: ids.slice(0, 500) }).reply(200, '500')
    .post('/inbox/mark-read', { ids: ['m500'] }).reply(200, '0')

  await t.resolves(orderSource().acknowledge([...ids, 'm0'].map(eventId => ({ eventId, occurredAt }))))
  await t.resolves(orderSource().acknowledge([]))
})

t.test('an inbox in another form is a transient error', async t => {
  upstream().get('/inbox').reply(200, { messages: [] }).post('/inbox/mark-read').reply(200, { ok: true })

  await t.rejects(orderSource().listUnread({ limit: 10 }), { code: AdapterErrorCode.transient })
  await t.rejects(orderSource().acknowledge([{ eventId: 'a', occurredAt }]), { code: AdapterErrorCode.transient })
})
