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
  const first = market.placeOrder({ lines, buyer: { login: 'anna' }, surcharges: [{ id: 'surcharge-1' }] })
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
  const { payment } = market.order(first) ?? {}
  const queriesForFirst = [
    'status=READY_FOR_PROCESSING',
    'buyer.login=anna',
    'surcharges.id=surcharge-1',
    `payment.id=${payment?.id}`,
    'marketplace.id=mkta-pl',
    'lineItems.boughtAt.lte=2025-01-01T12:00:59Z',
    'updatedAt.gte=2025-01-01T12:02:00Z'
  ]
  const queriesForSecond = [
    'delivery.method.id=locker',
    'lineItems.boughtAt.gte=2025-01-01T12:01:00Z',
    'updatedAt.lte=2025-01-01T12:01:00Z',
    'status=FILLED_IN&status=BOUGHT'
  ]
  for (const query of queriesForFirst) t.strictSame(await ids(query), [first], query)
  for (const query of queriesForSecond) t.strictSame(await ids(query), [second], query)
  t.strictSame(await ids('fulfillment.shipmentSummary.lineItemsSent=NONE'), [first, second])
  t.strictSame(await ids('fulfillment.shipmentSummary.lineItemsSent=ALL'), [])
  for (const query of ['limit=101', 'offset=9950&limit=51', 'updatedAt.gte=today', 'sort=buyer.login']) {
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
