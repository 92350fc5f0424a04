import { randomUUID } from 'node:crypto'
import t from 'tap'
import { orderIdIn, statusUndone } from '../../src/handlers/order-problem.ts'

t.test('each status that was not told is a problem of its own, and an unknown one is one, too', async t => {
  t.equal(statusUndone('shipped').code, 'shipped-not-told')
  t.equal(statusUndone('cancelled').code, 'cancelled-not-told')
  for (const status of ['lost', undefined, { status: 'shipped' }]) {
    t.equal(statusUndone(status).code, 'status-not-told')
  }
})

t.test('a payload that names no order of ours names none: an effect that fails would keep a dead job', async t => {
  const orderId = randomUUID()

  t.equal(orderIdIn({ orderId }), orderId)
  for (const payload of [{}, { orderId: 'x' }, { orderId: [orderId] }, { orderId: `${orderId}'` }]) {
    t.equal(orderIdIn(payload), undefined)
  }
})
