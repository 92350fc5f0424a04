import { Order } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import {
  detailWithoutBuyer,
  orderWithoutBuyer,
  problemWithoutText
} from '../../../src/orders/personal-data/without-buyer.ts'
import { buyerOrder, canary } from './buyer-order.ts'

t.test('an order keeps its ids, amounts, quantities, states and times, and nothing of its buyer', async t => {
  const order = buyerOrder('o1')
  const left = orderWithoutBuyer(order)

  t.notMatch(JSON.stringify(left), canary)
  t.match(left, {
    externalId: 'o1',
    revision: order.revision,
    placedAt: order.placedAt,
    total: order.total,
    lines: order.lines,
    buyer: {},
    shipping: { methodId: 'locker', price: order.shipping.price }
  })
  t.strictSame(left.payment, { method: 'cash-on-delivery', paid: { amount: '0.00', currency: 'PLN' } })
  t.strictSame(left.extras, [{ kind: 'service', name: 'service', price: order.total }])
  t.equal(left.fulfilment, 'seller')
  t.ok(Value.Check(Order, left), 'it is still an order')
  t.strictSame(orderWithoutBuyer(left), left)
})

t.test('a problem keeps its code', async t => {
  const left = problemWithoutText({ code: 'not-created', detail: `no street in '${canary}'` })

  t.equal(left.code, 'not-created')
  t.notMatch(left.detail, canary)
  t.strictSame(problemWithoutText(left), left)
})

t.test('a history entry keeps states and ids, and loses texts and the parcel', async t => {
  const cases: [Record<string, unknown>, object][] = [
    [{ status: 'ready', revision: '1' }, { status: 'ready', revision: '1' }],
    [{ externalId: '77', problems: [canary] }, { externalId: '77' }],
    [{ code: 'LNK_ADAPTER_REJECTED', problem: canary }, { code: 'LNK_ADAPTER_REJECTED' }],
    [{ method: 'addTracking', told: { number: canary } }, { method: 'addTracking' }],
    [{ method: 'updateOrderStatus', told: 'shipped' }, { method: 'updateOrderStatus', told: 'shipped' }],
    [{ carrier: 'C', number: canary, url: canary }, {}]
  ]
  for (const [detail, left] of cases) t.strictSame(detailWithoutBuyer(detail), left)
})
