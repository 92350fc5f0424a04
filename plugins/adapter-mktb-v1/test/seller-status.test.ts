import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createOrderSource } from '../src/orders.ts'
import { createMarketplace, upstream } from './marketplace.ts'
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

t.test('a status is written in the words of the marketplace', async t => {
  for (
    const [status, word] of [['processing', 'inProgress'], ['shipped', 'sent'], ['delivered', 'received'], [
      'cancelled',
      'canceled'
    ]] as const
  ) {
    shown('created')
    write(word).reply(204)
    t.equal(await updateOrderStatus(status), undefined)
  }
})

t.test('an order that is there already, or further, is left as it is', async t => {
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

t.test('a conflict is no success: the order is read again', async t => {
  shown('created')
  write('sent').reply(409, { failureType: 'conflict', message: 'the order is being changed' })
  shown('created')
  write('sent').reply(204)
  await t.resolves(updateOrderStatus('shipped'))

  shown('created')
  write('sent').reply(409)
  shown('sent')
  await t.resolves(updateOrderStatus('shipped'), 'another one wrote it')
})

t.test('an order that meets a conflict each time is refused, and its state told', async t => {
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

t.test('the answer to the last attempt is looked for as well', async t => {
  shown('created')
  for (const sellerStatus of ['created', 'created', 'sent']) {
    write('sent').reply(409)
    shown(sellerStatus)
  }

  await t.resolves(updateOrderStatus('shipped'))
})

t.test('a shipped order is not cancelled, a cancelled one not shipped', async t => {
  for (
    const [sellerStatus, status] of [['sent', 'purchased'], ['readyToPickup', 'purchased'], ['received', 'purchased'], [
      'created',
      'returned'
    ]] as const
  ) {
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

t.test('what the marketplace refuses of a status is told', async t => {
  shown('created')
  write('sent').reply(400, { message: 'no such transition' })

  await t.rejects(updateOrderStatus('shipped'), { code: rejected, message: /no such transition/ })
})
