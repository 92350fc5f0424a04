import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { openFakeShop, rows, type Reply } from './fake-shop.ts'

const inState = (state: string): Reply => [200, { orders: [{ ...rows.orderRow, current_state: state }] }]
const open = (t: Parameters<typeof openFakeShop>[0], state: string, config: Partial<Config> = {}) =>
  openFakeShop(t, { config, answers: { 'GET orders': inState(state) } })

t.test('a status is written through the history, in the configured state', async t => {
  const { orders, bodies, sent } = open(t, '2', { orderStates: { shipped: '20' } })

  await orders.updateOrderStatus('5', 'shipped')

  t.same(bodies('POST order_histories'), [{ id_order: '5', id_order_state: '20' }])
  t.notOk(sent.some(({ query }) => query.has('sendemail')))
})

t.test('an order that has the status already, or a later one by the flags of its state, is not written', async t => {
  const cases = [['20', 'shipped'], ['5', 'shipped'], ['11', 'processing'], ['6', 'cancelled']] as const
  for (const [state, wanted] of cases) {
    const { orders, bodies } = open(t, state)
    await orders.updateOrderStatus('5', wanted)
    t.same(bodies('POST'), [], `${state} ${wanted}`)
  }
})

t.test('no paid state is set on top of a payment error, and a backorder is not called paid', async t => {
  for (const wanted of ['processing', 'shipped'] as const) {
    const { orders, bodies } = open(t, '8')
    await t.rejects(orders.updateOrderStatus('5', wanted), {
      code: AdapterErrorCode.rejected,
      message: /second payment/
    })
    t.same(bodies('POST'), [])
  }
  for (const state of ['9', '12']) {
    const { orders, bodies } = open(t, state)
    await orders.updateOrderStatus('5', 'processing')
    t.same(bodies('POST'), [])
    await orders.updateOrderStatus('5', 'shipped')
    t.match(bodies('POST order_histories'), [{ id_order_state: '4' }])
  }
})

t.test('a cancelled order is not shipped', async t => {
  await t.rejects(open(t, '6').orders.updateOrderStatus('5', 'shipped'), { code: AdapterErrorCode.rejected })
})

t.test('an order is cancelled once, and only before it is shipped', async t => {
  const paid = open(t, '2')
  await paid.orders.cancelOrder('5')
  t.same(paid.bodies('POST order_histories'), [{ id_order: '5', id_order_state: '6' }])

  for (const state of ['4', '20', '5', '7']) {
    await t.rejects(open(t, state).orders.cancelOrder('5'), { code: AdapterErrorCode.rejected }, state)
  }
  const cancelled = open(t, '6')
  await cancelled.orders.cancelOrder('5')
  t.same(cancelled.bodies('POST'), [])
})

t.test('a tracking number is written once, with the whole newest carrier row', async t => {
  const { orders, bodies, table } = open(t, '2')

  await orders.addTracking('5', { carrier: 'Courier', number: '620' })
  t.match(bodies('PUT order_carriers/7'), [{ ...rows.carrierRow, id: '7', tracking_number: '620' }])

  table['GET order_carriers'] = [200, { order_carriers: [{ ...rows.carrierRow, tracking_number: '620' }] }]
  await orders.addTracking('5', { carrier: 'Courier', number: '620' })
  t.equal(bodies('PUT').length, 1)
})

t.test('an unknown order and an invalid order id are not found', async t => {
  const { orders, sent } = openFakeShop(t, { answers: { 'GET orders': [200, []], 'GET order_carriers': [200, []] } })

  await t.rejects(orders.cancelOrder('99'), { code: AdapterErrorCode.notFound })
  await t.rejects(orders.addTracking('99', { carrier: 'x', number: '1' }), { code: AdapterErrorCode.notFound })
  await t.rejects(orders.getOrder('1|2'), { code: AdapterErrorCode.notFound })
  t.equal(sent.length, 2)
})
