import { randomUUID } from 'node:crypto'
import t from 'tap'
import { encodeCursor } from '../../src/http/paging.ts'
import { getOrder, listOrders } from '../../src/orders/read-orders.ts'
import type { OrderQuery } from '../../src/orders/schemas.ts'
import { addHistory } from '../../src/orders/store.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { placeOrder } from './placed-order.ts'

t.test('orders as people read them', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database

  t.test('have their lines, their history and their shop', async t => {
    const { market, shop, orderId, putAtShop, set, variantIdOf } = await placeOrder(jobs)
    await putAtShop()
    await set('destination_status = \'processing\', problems = \'[{"code": "gone", "detail": "it is gone"}]\'')
    await query("insert into order_history (order_id, event, at) values ($1, 'old', '2025-01-02T10:00:00.5Z')", [
      orderId
    ])
    await addHistory(query, orderId, 'new', { by: 'operator' })
    const { lines, history, ...order } = await getOrder(query, orderId)

    t.match(order, {
      id: orderId,
      connectionId: market,
      status: 'created',
      sourceStatus: 'processing',
      total: { amount: '10.00', currency: 'PLN' },
      reserved: 1,
      destination: { connectionId: shop, externalId: '77', status: 'processing' },
      tracking: null,
      placedAt: '2025-01-02T10:00:00.000Z',
      snapshot: { buyer: { email: 'buyer@example.com' } }
    })
    t.strictSame(order.problems, ['it is gone'])
    t.strictSame(lines, [{
      externalId: '1',
      offerExternalId: 'offer-1',
      quantity: 1,
      variantId: variantIdOf('offer-1')
    }])
    t.strictSame(history.map(({ event }) => event), ['ingested', 'old', 'new'])
    t.strictSame(history[1], { at: '2025-01-02T10:00:00.500Z', event: 'old', detail: {} })
    t.match(history[2], { detail: { by: 'operator' } })
    await t.rejects(getOrder(query, randomUUID()), { code: 'LNK_ORDER_NOT_FOUND' })
  })

  t.test('are listed oldest first, by connection, status and the time of their first reading', async t => {
    const placed = [await placeOrder(jobs), await placeOrder(jobs), await placeOrder(jobs)]
    const days = ['2025-01-03', '2025-01-01', '2025-01-02']
    for (const [index, { set }] of placed.entries()) await set(`created_at = '${days[index]}T00:00:00Z'`)
    await placed[0]?.set(`status = 'failed', problems = '[{"code": "gone", "detail": "it is gone"}]'`)
    await placed[2]?.set(`problems = '[{"code": "not-created", "detail": "no shop takes it"}]'`)
    const list = async (filter: Partial<OrderQuery> = {}) =>
      (await listOrders(query, { limit: 50, newestFirst: false, ...filter })).map(({ id }) =>
        placed.findIndex(({ orderId }) => orderId === id)
      )
    const cursor = encodeCursor({ createdAt: '2025-01-01T00:00:00.000Z', id: placed[1]?.orderId ?? '' })
    const middle = encodeCursor({ createdAt: '2025-01-02T00:00:00.000Z', id: placed[2]?.orderId ?? '' })

    t.strictSame(await list(), [1, 2, 0])
    t.strictSame(await list({ limit: 1 }), [1])
    t.strictSame(await list({ cursor }), [2, 0])
    t.strictSame(await list({ since: '2025-01-02T00:00:00Z' }), [2, 0])
    t.strictSame(await list({ status: 'failed' }), [0])
    t.strictSame(await list({ newestFirst: true }), [0, 2, 1])
    t.strictSame(await list({ newestFirst: true, cursor: middle }), [1])
    t.strictSame(await list({ problem: 'any' }), [2, 0])
    t.strictSame(await list({ problem: 'gone', newestFirst: true }), [0])
    t.strictSame(await list({ problem: 'not-created' }), [2])
    t.strictSame(await list({ connectionId: placed[2]?.market ?? '' }), [2])
    await t.rejects(list({ cursor: 'nonsense' }), { code: 'LNK_REQUEST_INVALID' })
    t.match(
      await listOrders(query, { limit: 1, newestFirst: false }),
      [{ destination: { externalId: null } }],
      'a shop is chosen'
    )
  })
})
