import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createOrderSource } from '../../src/orders/order-source.ts'
import { createMarketplace, upstream } from '../marketplace.ts'
import { upstreamOrder } from './order.ts'

const { connect } = createMarketplace(t)
const { notFound, rejected, transient } = AdapterErrorCode
const id = '250102x10002'
const path = `/orders/${id}`

function updateOrderStatus (status: 'processing' | 'shipped' | 'delivered' | 'cancelled') {
  const { client, context } = connect({ orderWriteBack: true })
  return createOrderSource(client, context).updateOrderStatus(id, status)
}

const shown = (sellerStatus: string, status = 'purchased') =>
  upstream().get(path).reply(200, upstreamOrder({ sellerStatus, status }))
const write = (status: string) => upstream().patch(`${path}/status`, { status })

t.test("a status is written in the marketplace's words", async t => {
  const words = [
    ['processing', 'inProgress'],
    ['shipped', 'sent'],
    ['delivered', 'received'],
    ['cancelled', 'canceled']
  ] as const
  for (const [status, word] of words) {
    shown('created')
    write(word).reply(204)
    t.equal(await updateOrderStatus(status), undefined)
  }
})

t.test('an order that has the status already, or a later one, stays as it is', async t => {
  const cases = [
    ['inProgress', 'processing'],
    ['sent', 'processing'],
    ['sent', 'shipped'],
    ['readyToPickup', 'shipped'],
    ['received', 'shipped'],
    ['received', 'delivered'],
    ['returningToSender', 'delivered'],
    ['returned', 'shipped'],
    ['canceled', 'cancelled']
  ] as const
  for (const [sellerStatus, status] of cases) {
    shown(sellerStatus)
    t.equal(await updateOrderStatus(status), undefined, `${sellerStatus} before ${status}`)
  }
  shown('created', 'cancelled')
  await t.resolves(updateOrderStatus('cancelled'))
  shown('sent', 'returned')
  await t.resolves(updateOrderStatus('delivered'))
})

t.test('after a conflict the order is read again', async t => {
  shown('created')
  write('sent').reply(409, { failureType: 'conflict', message: 'the order is being changed' })
  shown('created')
  write('sent').reply(204)
  await t.resolves(updateOrderStatus('shipped'))

  shown('created')
  write('sent').reply(409)
  shown('sent')
  await t.resolves(updateOrderStatus('shipped'), 'somebody else wrote the status')
})

t.test('an order with a conflict at each attempt is refused, and the error names its status', async t => {
  shown('created')
  for (let attempt = 1; attempt <= 3; attempt++) {
    write('sent').reply(409, { failureType: 'conflict', message: 'a parcel of the order is being changed' })
    shown('inProgress')
  }

  await t.rejects(updateOrderStatus('shipped'), {
    code: rejected,
    message: /conflict 3 times, the order is inProgress: a parcel of the order is being changed/
  })
})

t.test('the order is read once more after the last attempt', async t => {
  shown('created')
  for (const sellerStatus of ['created', 'created', 'sent']) {
    write('sent').reply(409)
    shown(sellerStatus)
  }

  await t.resolves(updateOrderStatus('shipped'))
})

t.test('a shipped order is not cancelled, and a cancelled one is not shipped', async t => {
  const shipped = [
    ['sent', 'purchased'],
    ['readyToPickup', 'purchased'],
    ['received', 'purchased'],
    ['created', 'returned']
  ] as const
  for (const [sellerStatus, status] of shipped) {
    shown(sellerStatus, status)
    await t.rejects(updateOrderStatus('cancelled'), { code: rejected, message: /not cancelled/ }, sellerStatus)
  }
  for (const [sellerStatus, status] of [['canceled', 'purchased'], ['created', 'cancelled']] as const) {
    shown(sellerStatus, status)
    await t.rejects(updateOrderStatus('shipped'), { code: rejected, message: /is cancelled at the marketplace/ })
  }
})

t.test('an order that cannot be read is not written', async t => {
  upstream().get(path).reply(200, { id, status: 'purchased' })
  await t.rejects(updateOrderStatus('shipped'), { code: transient, message: /unknown form/ })

  upstream().get(path).reply(404)
  await t.rejects(updateOrderStatus('shipped'), { code: notFound })
})

t.test("a refused status carries the marketplace's reason", async t => {
  shown('created')
  write('sent').reply(400, { message: 'no such transition' })

  await t.rejects(updateOrderStatus('shipped'), { code: rejected, message: /no such transition/ })
})
