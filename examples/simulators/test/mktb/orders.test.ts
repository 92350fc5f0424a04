import t from 'tap'
import { createClock, openMarket } from '../support.ts'

const line = { externalId: 'hub-variant-1', quantity: 2, unitPrice: 10_000 }

t.test('an order takes its stock for good, and its cancellation gives nothing back', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('hub-variant-1', { stock: 3 })

  const id = market.placeOrder({ lines: [line] })
  market.cancelOrder(id)

  t.match(id, /^\d{6}x\d{4,}$/)
  t.equal(market.quantities().get('hub-variant-1'), 1)
  t.throws(() => market.placeOrder({ lines: [line] }), /only 1 of 'hub-variant-1'/)
  t.match((await call('GET', `/orders/${id}`)).json(), { id, status: 'cancelled', sellerStatus: 'canceled' })
  t.equal((await call('GET', '/orders/250102x99999')).status, 404)
})

t.test('an order has every member that the marketplace documents', async t => {
  const { market, call } = await openMarket(t)

  const id = market.placeOrder({
    lines: [line, { externalId: 'other', quantity: 1, unitPrice: 500 }],
    delivery: { typeId: 'mktbLocker' }
  })
  market.returnOrder(id, [{ index: 0, quantity: 1 }])

  t.match((await call('GET', `/orders/${id}`)).json(), {
    status: 'returned',
    user: { email: 'Buyer1@example.com', deliveryAddress: { country: 'pl' }, invoiceAddress: { type: 'person' } },
    items: [{ id: 1, externalId: 'hub-variant-1', quantity: 2, unitPrice: 10_000 }, { id: 2 }],
    delivery: { typeId: 'mktbLocker', name: 'Locker', price: 999, cod: false, pickupPlace: { externalId: 'POZ08A' } },
    totalPrice: 21_499,
    returns: [{ items: [{ index: 0, quentity: 1, reason: 'resign' }] }]
  })
})

t.test('an order that is not paid is pending, and every change of status is announced', async t => {
  const { market } = await openMarket(t)

  const id = market.placeOrder({ lines: [line], isPaid: false, user: null })
  market.payOrder(id)
  market.updateOrder(id, { sellerStatus: 'received' })

  t.match(market.inbox().map(({ type, payload }) => [type, payload]), [['orderCreated', {
    id,
    status: 'pending',
    user: undefined
  }], ['orderStatusChanged', { id, status: 'purchased', purchasedAt: String }]])
  t.equal(market.inbox().length, 2)
  t.match(market.order(id), { sellerStatus: 'received', payment: { status: 'COMPLETED' } })
})

t.test('integrations set the seller status and their own number', async t => {
  const { market, call } = await openMarket(t)
  const id = market.placeOrder({ lines: [line] })

  t.equal((await call('PATCH', `/orders/${id}`, { externalOrderId: 'shop-7' })).status, 202)
  t.equal((await call('PATCH', `/orders/${id}/status`, { status: 'sent' })).status, 204)
  t.match((await call('PATCH', `/orders/${id}/status`, { status: 'sent' })).json(), { failureType: 'conflict' })
  t.equal((await call('PATCH', `/orders/${id}/status`, { status: 'cancelled' })).status, 400)
  t.match(market.order(id), { externalOrderId: 'shop-7', sellerStatus: 'sent', status: 'purchased' })
  t.equal((await call('PATCH', `/orders/${id}/status`, { status: 'canceled' })).status, 204)
  t.match(market.order(id), { status: 'cancelled' })
  t.equal((await call('PATCH', `/orders/${id}`, { externalOrderId: 'shop-8' })).status, 400)
})

t.test('paging by cursor meets every order once, paging by date skips orders of the same date', async t => {
  const clock = createClock('2025-01-02T10:00:00.000Z')
  const { market, call } = await openMarket(t, { now: clock.now })
  const placed = Array.from({ length: 5 }, () => market.placeOrder({ lines: [line] }))
  clock.advance(60_000)
  placed.push(market.placeOrder({ lines: [line] }))
  const search = async (body: object) => {
    const { json } = await call('POST', '/orders/_search', body)
    return json() as Array<{ id: string, cursor: string }>
  }
  const idsOf = async (body: object) => (await search(body)).map(({ id }) => id)

  const walked: string[] = []
  let page = await search({ pagination: { limit: 2 } })
  while (page.length > 0) {
    walked.push(...page.map(({ id }) => id))
    page = await search({ pagination: { limit: 2, after: page.at(-1)?.cursor } })
  }
  const isLate = { field: 'updated', operator: '>=', value: '2025-01-02T10:01:00Z' }
  const isThird = { field: 'userEmail', operator: '=', value: 'Buyer3@example.com' }
  const isPending = { field: 'status', operator: '=', value: 'pending' }

  t.strictSame(walked, placed)
  t.strictSame(await idsOf({ pagination: { after: '2025-01-02T10:00:00Z' } }), placed.slice(5))
  t.strictSame(await idsOf({ filter: isLate }), placed.slice(5))
  t.strictSame(await idsOf({ filter: isThird }), placed.slice(2, 3))
  t.match(await search({ filter: isPending }), { name: 'ValidationError' })
})

t.test('a POST of parcels answers 200 with an outcome for each', async t => {
  const { market, call } = await openMarket(t)
  const [id, cancelled] = [market.placeOrder({ lines: [line] }), market.placeOrder({ lines: [line] })]
  market.cancelOrder(cancelled)
  const parcel = { vendor: 'dpd', orderId: id, trackingNumber: '0000123456789' }

  const [ofUnknown, ofCancelled] = [{ ...parcel, orderId: '250102x99999' }, { ...parcel, orderId: cancelled }]

  const answer = await call('POST', '/shipping/external', [parcel, ofUnknown, ofCancelled, parcel])

  t.equal(answer.status, 200)
  t.match(answer.json(), [
    { id: 55, type: 'external', shipping: { vendor: 'dpd' }, status: 'preparing' },
    { error: [{ errorCode: 1402 }] },
    { error: [{ errorCode: 1110 }] },
    { id: 56 }
  ])
  t.match(market.order(id)?.deliveryTracking, { vendor: 'dpd', trackingNumber: '0000123456789' })
  const faults = [{ vendor: 'unknown' }, { vendor: 'ownTransport' }, { trackingNumber: 'a b' }]
  for (const wrong of [[], ...faults.map(fault => [{ ...parcel, ...fault }])]) {
    const refused = await call('POST', '/shipping/external', wrong)
    t.equal(refused.status, 400)
    t.match(refused.json(), [{ errorCode: 1200 }])
  }
  t.match((await call('PATCH', '/shipping/external/55', { vendor: 'ownTransport', status: 'sent' })).json(), {
    id: 55,
    status: 'sent'
  })
  t.equal((await call('DELETE', '/shipping/external/56')).status, 204)
  t.match((await call('GET', '/shipping/external/56')).json(), [{ errorCode: 1402 }])
  t.match(market.parcels().map(({ id }) => id), [55])
})
