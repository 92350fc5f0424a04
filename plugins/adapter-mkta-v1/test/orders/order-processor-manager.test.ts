import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createOrderProcessorManager } from '../../src/orders/order-processor-manager.ts'
import { createMarketplace, rest, restWrite } from '../marketplace.ts'
import { checkoutForm, lineItem } from './checkout-form.ts'

const { connect } = createMarketplace(t)
const { authentication, notFound, outcomeUnknown, rejected, transient } = AdapterErrorCode
const id = '29738e61-7f6a-11e8-ac45-09db60ede9d6'
const path = `/order/checkout-forms/${id}`
const shipments = `${path}/shipments`
const lineItems = [{ id: lineItem().id }]

function open () {
  const { client, context } = connect()
  const { updateOrderStatus, addTracking, getOrder } = createOrderProcessorManager(client, context)
  if (updateOrderStatus === undefined || addTracking === undefined) throw new Error('both are there')
  return { updateOrderStatus, addTracking, getOrder }
}

function openMarketplace () {
  const { client, context } = connect()
  return createCapability(client, context)
}

const shown = (fulfillment: string, members: object = {}) =>
  rest().get(path).reply(200, checkoutForm({ fulfillment: { status: fulfillment }, ...members }))
const write = (status: string, revision = '819b5836') =>
  restWrite().put(`${path}/fulfillment?checkoutForm.revision=${revision}`, { status })

t.test('an order is read as by the marketplace capability', async t => {
  shown('NEW')

  t.match(await open().getOrder(id), { externalId: id, status: 'processing' })
})

t.test('an order is not found only when the marketplace itself says so, in every call', async t => {
  const { getOrder, updateOrderStatus, addTracking } = open()
  const unknown = { errors: [{ code: 'CHECKOUT_FORM_NOT_FOUND' }] }
  for (const [body, code] of [[unknown, notFound], ['<html>', transient]] as const) {
    rest().get(path).twice().reply(404, body).get(shipments).reply(404, body)
    await t.rejects(getOrder(id), { code })
    await t.rejects(updateOrderStatus(id, 'shipped'), { code })
    await t.rejects(addTracking(id, { carrier: 'dpd', number: '1' }), { code })
  }
})

t.test("a 403 for another seller's order affects only that order", async t => {
  const refusal = { errors: [{ code: 'AccessDenied', message: 'Access is denied' }] }
  const { getOrder, updateOrderStatus, addTracking } = open()
  const attempts: (() => Promise<unknown>)[] = [
    () => getOrder(id),
    () => openMarketplace().getOrder(id),
    () => updateOrderStatus(id, 'shipped'),
    () => addTracking(id, { carrier: 'dpd', number: '1' })
  ]
  const cases = [
    [200, { checkoutForms: [], totalCount: 0 }, { code: rejected, message: /another seller/ }],
    [403, refusal, { code: authentication, message: /does not permit/ }]
  ] as const
  for (const [status, body, expected] of cases) {
    rest().get(path).times(3).reply(403, refusal).get(shipments).reply(403, refusal)
      .get('/order/checkout-forms?limit=1').times(4).reply(status, body)
    for (const attempt of attempts) await t.rejects(attempt(), expected)
  }
})

t.test('a 403 for a write to a readable order is about the permission to write', async t => {
  shown('NEW')
  write('SENT').reply(403, { errors: [{ code: 'AccessDenied' }] })

  await t.rejects(open().updateOrderStatus(id, 'shipped'), { code: authentication, message: /does not permit/ })
})

t.test("a status is written in the marketplace's words, on the revision that was just read", async t => {
  const words = [
    ['processing', 'PROCESSING'],
    ['shipped', 'SENT'],
    ['delivered', 'PICKED_UP'],
    ['cancelled', 'CANCELLED']
  ] as const
  for (const [status, word] of words) {
    shown('NEW')
    write(word).reply(204)
    await t.resolves(open().updateOrderStatus(id, status))
  }
})

t.test('a form without a revision is written without one', async t => {
  shown('NEW', { revision: null })
  restWrite().put(`${path}/fulfillment`, { status: 'SENT' }).reply(204)

  await t.resolves(open().updateOrderStatus(id, 'shipped'))
})

t.test('an order that has the status already, or a later one, stays as it is', async t => {
  const reached = [
    ['SENT', 'shipped'],
    ['PICKED_UP', 'shipped'],
    ['SENT', 'processing'],
    ['PICKED_UP', 'delivered'],
    ['RETURNED', 'delivered'],
    ['CANCELLED', 'cancelled']
  ] as const
  for (const [fulfillment, status] of reached) {
    shown(fulfillment)
    await t.resolves(open().updateOrderStatus(id, status))
  }
})

t.test('after a conflict the order is read again', async t => {
  shown('NEW')
  write('SENT').reply(409, { errors: [{ code: 'CheckoutFormRevisionConflict' }] })
  shown('NEW', { revision: '2' })
  write('SENT', '2').reply(204)
  await t.resolves(open().updateOrderStatus(id, 'shipped'))

  shown('NEW')
  write('SENT').reply(409)
  shown('SENT')
  await t.resolves(open().updateOrderStatus(id, 'shipped'))

  for (let attempt = 1; attempt <= 3; attempt++) {
    shown('NEW')
    write('SENT').reply(409)
  }
  await t.rejects(open().updateOrderStatus(id, 'shipped'), { code: rejected, message: /conflict 3 times/ })
})

t.test('a cancelled order is not shipped, a shipped one not cancelled', async t => {
  shown('NEW', { status: 'CANCELLED' })
  await t.rejects(open().updateOrderStatus(id, 'shipped'), { code: rejected, message: /cancelled at the marketplace/ })

  shown('SENT')
  await t.rejects(open().updateOrderStatus(id, 'cancelled'), { code: rejected, message: /SENT/ })
})

t.test("a refused status carries the marketplace's reason", async t => {
  shown('NEW')
  write('SENT').reply(422, {
    errors: [{ code: 'SellerOrdersStoreUnprocessableEntityException', message: 'too many operations' }]
  })

  await t.rejects(open().updateOrderStatus(id, 'shipped'), { code: rejected, message: /too many operations/ })
})

function carriers () {
  rest().get('/order/carriers').reply(200, {
    carriers: [
      { id: 'DPD', name: 'DPD' },
      { id: 'INPOST', name: 'InPost' },
      { id: 'POCZTA_POLSKA', name: 'Poczta Polska' },
      { id: 'MKTA', name: 'Own Brand' },
      { id: 'OTHER', name: 'Inny' }
    ]
  })
}

t.test("a parcel is reported with the marketplace's carrier, or with another carrier's name", async t => {
  const cases = [
    ['DPD Polska', 'DPD', undefined],
    ['inpost', 'INPOST', undefined],
    ['Poczta Polska Kurier48', 'POCZTA_POLSKA', undefined],
    ['poczta_polska', 'POCZTA_POLSKA', undefined],
    ['mkta', 'OTHER', 'mkta'],
    ['Own Brand', 'OTHER', 'Own Brand'],
    ['A carrier with quite a long name indeed', 'OTHER', 'A carrier with quite a long na']
  ] as const
  for (const [carrier, carrierId, carrierName] of cases) {
    rest().get(shipments).reply(200, { shipments: [] })
    shown('NEW')
    carriers()
    const named = carrierName === undefined ? {} : { carrierName }
    restWrite().post(shipments, { carrierId, ...named, waybill: '0000123456789', lineItems }).reply(201, {
      id: 's-1',
      waybill: '0000123456789'
    })

    await t.resolves(open().addTracking(id, { carrier, number: '0000 1234 56789' }), carrier)
  }
})

t.test('a parcel that is there already is not reported again', async t => {
  rest().get(shipments).reply(200, { shipments: [{ id: 's-1', waybill: '0000 123456789', carrierId: 'DPD' }] })

  await t.resolves(open().addTracking(id, { carrier: 'DPD', number: '0000123456789' }))
})

t.test('several numbers in one field are several parcels, of which only the missing ones are reported', async t => {
  rest().get(shipments).reply(200, { shipments: [{ id: 's-1', waybill: '620000000001', carrierId: 'DPD' }] })
  shown('NEW')
  carriers()
  for (const waybill of ['620000000002', '620000000003']) {
    restWrite().post(shipments, { carrierId: 'DPD', waybill, lineItems }).reply(201, { id: waybill, waybill })
  }

  await t.resolves(open().addTracking(id, { carrier: 'DPD', number: '620000000001, 620000000002;620000000003' }))
})

t.test('a number that stands in too many orders is a refusal', async t => {
  rest().get(shipments).reply(200, { shipments: [] })
  shown('NEW')
  carriers()
  restWrite().post(shipments).reply(409)

  await t.rejects(open().addTracking(id, { carrier: 'DPD', number: '1' }), { code: rejected, message: /too many/ })
})

t.test('after a lost answer the parcel is searched for before it is sent again', async t => {
  rest().get(shipments).reply(200, { shipments: [] })
  shown('NEW')
  carriers()
  restWrite().post(shipments).reply(500)
  await t.rejects(open().addTracking(id, { carrier: 'DPD', number: '1' }), { code: outcomeUnknown })

  rest().get(shipments).reply(200, { shipments: [{ waybill: '1' }] })
  await t.resolves(open().addTracking(id, { carrier: 'DPD', number: '1' }))
})

t.test('a number that the marketplace would refuse is refused before any request', async t => {
  for (const number of ['x'.repeat(65), ' ']) {
    await t.rejects(open().addTracking(id, { carrier: 'DPD', number }), { code: rejected, message: /64/ })
  }
})

t.test('parcels in another form are a transient error', async t => {
  rest().get(shipments).reply(200, { rows: [] })

  await t.rejects(open().addTracking(id, { carrier: 'DPD', number: '1' }), { code: transient })
})
