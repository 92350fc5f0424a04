import t from 'tap'
import { codes } from '../support.ts'
import { openMktA } from './market.ts'

const lines = [{ offerId: '1', quantity: 2 }]

t.test('the journal answers the events after a given one, sorted by id, also late ones', async t => {
  const { clock, market, call } = await openMktA(t)
  market.addOffer({ id: '1', stock: { available: 8 } })
  const events = async (query = '') =>
    ((await call('GET', `/order/events?${query}`)).json() as { events: Array<{ id: string, type: string }> }).events
  const orderId = market.placeOrder({ lines, status: 'FILLED_IN' })
  clock.advance(1_000)
  market.payOrder(orderId)

  const [first, second] = await events()

  t.match(first, { type: 'FILLED_IN', id: '1735732800000000' })
  t.match(second, { type: 'READY_FOR_PROCESSING', order: { checkoutForm: { id: orderId } } })
  t.equal(market.quantities().get('1'), 6)
  t.match((await call('GET', '/order/event-stats')).json(), { latestEvent: { id: second?.id } })
  t.strictSame(await events(`from=${second?.id}`), [])
  const late = market.addOrderEvent({ orderId, type: 'BUYER_CANCELLED', occurredAt: '2025-01-01T12:00:00.500Z' })
  t.strictSame(await events(`from=${second?.id}`), [])
  t.strictSame((await events(`from=${first?.id}&limit=1`)).map(({ id }) => id), [late])
  t.strictSame((await events('type=BUYER_CANCELLED&type=FILLED_IN')).map(({ id }) => id), [first?.id, late])
  clock.advance(60 * 86_400_000)
  t.strictSame(market.orderEvents().map(({ id }) => id), [second?.id])
})

t.test('a changed form refuses its old revision, and reads show an accepted write after a while', async t => {
  const { clock, market, call } = await openMktA(t)
  const id = market.placeOrder({ lines })
  const path = `/order/checkout-forms/${id}`
  const form = async () => (await call('GET', path)).json() as { revision: string, fulfillment: { status: string } }
  const { revision } = await form()
  const fulfil = (of: string) => call('PUT', `${path}/fulfillment?checkoutForm.revision=${of}`, { status: 'SENT' })
  market.modifyOrder(id, { messageToSeller: 'Please call first' })

  t.equal((await fulfil(revision)).status, 409)
  t.equal((await fulfil((await form()).revision)).status, 204)

  t.match(await form(), {
    messageToSeller: 'Please call first',
    fulfillment: { status: 'NEW' },
    summary: { totalToPay: { amount: '219.99' } }
  })
  clock.advance(1_000)
  t.match(await form(), { fulfillment: { status: 'SENT' } })
  t.equal((await call('PUT', `${path}/fulfillment`, { status: 'LOST' })).status, 400)
  t.match((await call('GET', '/order/checkout-forms?fulfillment.status=SENT')).json(), {
    checkoutForms: [{ id }],
    count: 1,
    totalCount: 1
  })
})

t.test('a joint payment makes a new form, and a cancellation keeps the time of a form', async t => {
  const { clock, market, call } = await openMktA(t)
  const ids = [market.placeOrder({ lines, status: 'BOUGHT' }), market.placeOrder({ lines, status: 'BOUGHT' })]
  const items = ids.flatMap(id => market.order(id)?.lineItems ?? [])

  const id = market.joinOrders(ids)

  t.strictSame(codes(await call('GET', `/order/checkout-forms/${ids[0]}`)), ['CHECKOUT_FORM_NOT_FOUND'])
  t.strictSame(market.order(id)?.lineItems, items)
  t.strictSame(market.orderEvents().map(({ type }) => type), ['BOUGHT', 'BOUGHT', 'READY_FOR_PROCESSING'])
  const { updatedAt } = market.order(id) ?? {}
  clock.advance(1_000)
  market.cancelOrder(id)
  t.match((await call('GET', `/order/checkout-forms/${id}`)).json(), { status: 'CANCELLED', updatedAt })
})

t.test('checkout forms are filtered, sorted and paged, up to row 10 000', async t => {
  const { clock, market, call } = await openMktA(t)
  const first = market.placeOrder({
    lines,
    buyer: { login: 'anna' },
    surcharges: [{ paidAmount: { amount: '5.00', currency: 'PLN' } }]
  })
  clock.advance(60_000)
  const second = market.placeOrder({
    lines,
    status: 'FILLED_IN',
    delivery: { method: { id: 'locker', name: 'Locker' } },
    marketplace: { id: 'mkta-cz' }
  })
  clock.advance(60_000)
  market.modifyOrder(first, { messageToSeller: 'Please call first' })
  const list = async (query: string) =>
    (await call('GET', `/order/checkout-forms?${query}`)).json() as {
      checkoutForms: Array<{ id: string }>,
      count: number,
      totalCount: number
    }
  const ids = async (query: string) => (await list(query)).checkoutForms.map(({ id }) => id)

  t.strictSame(await ids(''), [first, second])
  t.strictSame(await ids('sort=-lineItems.boughtAt'), [second, first])
  t.strictSame(await ids('sort=updatedAt'), [second, first])
  t.match(await list('limit=1&offset=1'), { checkoutForms: [{ id: second }], count: 1, totalCount: 2 })
  const { payment, surcharges: [surcharge] = [] } = market.order(first) ?? {}
  t.match(surcharge, { id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, type: /./ })
  const queriesForFirst = [
    'status=READY_FOR_PROCESSING',
    'buyer.login=anna',
    `surcharges.id=${surcharge?.id}`,
    `payment.id=${payment?.id}`,
    'marketplace.id=mkta-pl',
    'lineItems.boughtAt.lte=2025-01-01T12:00:59Z',
    'updatedAt.gte=2025-01-01T12:02:00Z'
  ]
  const queriesForSecond = [
    'delivery.method.id=locker',
    'lineItems.boughtAt.gte=2025-01-01T12:01:00Z',
    'updatedAt.lte=2025-01-01T12:01:00Z',
    'status=FILLED_IN'
  ]
  for (const query of queriesForFirst) t.strictSame(await ids(query), [first], query)
  for (const query of queriesForSecond) t.strictSame(await ids(query), [second], query)
  t.strictSame(await ids('fulfillment.shipmentSummary.lineItemsSent=NONE'), [first, second])
  t.strictSame(await ids('fulfillment.shipmentSummary.lineItemsSent=ALL'), [])
  for (
    const query of [
      'status=FILLED_IN&status=BOUGHT',
      'limit=101',
      'offset=9950&limit=51',
      'updatedAt.gte=today',
      'sort=buyer.login'
    ]
  ) {
    t.equal((await call('GET', `/order/checkout-forms?${query}`)).status, 400, query)
  }
  t.equal((await call('GET', '/order/checkout-forms?offset=9900')).status, 200)
})

t.test('cash on delivery has finishedAt without a payment, and given members win one by one', async t => {
  const { market } = await openMktA(t)
  const id = market.placeOrder({
    lines,
    payment: { type: 'CASH_ON_DELIVERY', provider: 'OFFLINE' },
    delivery: { address: {}, pickupPoint: { id: 'POZ08A' } }
  })

  t.match(market.order(id), {
    payment: { type: 'CASH_ON_DELIVERY', finishedAt: '2025-01-01T12:00:00.000Z', paidAmount: null },
    delivery: { address: {}, pickupPoint: { id: 'POZ08A' }, cost: { amount: '19.99' } },
    buyer: {
      email: /^hjk2kn6y\+[0-9a-f]+@user\.mktamail\.example$/,
      address: { postCode: '00-001', zipCode: undefined }
    }
  })
})

t.test('an event has no name, address and phone of the buyer, and a filtered list no changes of buyers', async t => {
  const { market, call } = await openMktA(t)
  const id = market.placeOrder({ lines })
  market.changeAddress(id, { city: 'Gdynia' })
  const events = async (query = '') =>
    ((await call('GET', `/order/events${query}`)).json() as {
      events: Array<{ type: string, order: { buyer: object } }>
    }).events
  const types = async (query: string) => (await events(query)).map(({ type }) => type)

  const [placed] = await events()
  t.strictSame(Object.keys(placed?.order.buyer ?? {}), ['id', 'email', 'login', 'guest', 'preferences'])
  t.strictSame(await types(''), ['READY_FOR_PROCESSING', 'BUYER_MODIFIED'])
  t.strictSame(await types('?type=READY_FOR_PROCESSING&type=BUYER_MODIFIED'), ['READY_FOR_PROCESSING'])
})

t.test('a buyer changes the address of a paid order: it gets modifiedAt, the form another revision', async t => {
  const { clock, market } = await openMktA(t)
  const id = market.placeOrder({ lines })
  const before = market.order(id)
  clock.advance(1_000)

  market.changeAddress(id, { city: 'Gdynia' })

  const after = market.order(id)
  t.match(after?.delivery, { address: { firstName: 'Anna', city: 'Gdynia', modifiedAt: '2025-01-01T12:00:01.000Z' } })
  t.not(after?.revision, before?.revision)
  t.equal(after?.status, 'READY_FOR_PROCESSING')
})

t.test('an address stays three days after the purchase, and when the seller has taken the order on', async t => {
  const { clock, market, call } = await openMktA(t)
  const [taken, old] = [market.placeOrder({ lines }), market.placeOrder({ lines })]
  market.switches.processingMs = 0

  await call('PUT', `/order/checkout-forms/${taken}/fulfillment`, { status: 'PROCESSING' })
  t.throws(() => market.changeAddress(taken, { city: 'Gdynia' }), { message: /taken/ })
  clock.advance(3 * 24 * 3_600_000 + 1)
  t.throws(() => market.changeAddress(old, { city: 'Gdynia' }), { message: /final/ })
})

t.test('a form has no empty members, except those of a tax', async t => {
  const { market, call } = await openMktA(t)
  const id = market.placeOrder({ lines })
  const tax = { rate: '23.00', subject: null, exemption: null }
  const forms = [
    (await call('GET', `/order/checkout-forms/${id}`)).json() as object,
    ((await call('GET', '/order/checkout-forms')).json() as { checkoutForms: object[] }).checkoutForms[0]
  ]

  for (const form of forms) {
    t.match(form, { lineItems: [{ tax, discounts: { length: 0 } }], discounts: undefined, fulfillment: {} })
    t.notMatch(JSON.stringify(form).replaceAll(JSON.stringify(tax), ''), /null/)
  }
  market.switches.emptyMembers = 'null'
  t.match((await call('GET', `/order/checkout-forms/${id}`)).json(), { messageToSeller: null })
})

t.test('deposits and services are paid beside the price, and a warehouse may ship the order', async t => {
  const { market, call } = await openMktA(t)
  const id = market.placeOrder({
    lines: [{ offerId: '1', quantity: 2, deposit: '0.50', services: [{ name: 'Gift wrapping', price: '7.00' }] }],
    fulfillment: { provider: { id: 'WAREHOUSE' } }
  })

  t.match(market.order(id), {
    fulfillment: { status: 'NEW', provider: { id: 'WAREHOUSE' } },
    lineItems: [{
      price: { amount: '100.00' },
      deposit: { price: { amount: '0.50', currency: 'PLN' } },
      selectedAdditionalServices: [{ name: 'Gift wrapping', price: { amount: '7.00' }, quantity: 1 }]
    }],
    summary: { totalToPay: { amount: '227.99' } }
  })
  const seller = (await call('GET', '/order/checkout-forms?fulfillment.provider.id=SELLER')).json()
  t.match(seller, { totalCount: 0 })
})

t.test('the seller cannot set RETURNED, which is no conflict', async t => {
  const { market, call } = await openMktA(t)
  const id = market.placeOrder({ lines })

  t.equal((await call('PUT', `/order/checkout-forms/${id}/fulfillment`, { status: 'RETURNED' })).status, 422)
})

t.test('a live order answers 404 for a while, and then 200 again', async t => {
  const { clock, market, call } = await openMktA(t)
  const id = market.placeOrder({ lines })
  const read = async () => (await call('GET', `/order/checkout-forms/${id}`)).status
  market.hideOrder(id, 60_000)

  t.equal(await read(), 404)
  t.match((await call('GET', '/order/checkout-forms')).json(), { totalCount: 1 })
  clock.advance(60_000)
  t.equal(await read(), 200)
})
