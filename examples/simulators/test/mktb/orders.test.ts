import t from 'tap'
import { createClock, openHub, openMarket } from '../support.ts'

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
    delivery: {
      typeId: 'mktbLocker',
      name: 'Locker',
      price: 999,
      cod: false,
      pickupPlace: { externalId: 'POZ08A' },
      sourceMarket: 'pl',
      targetMarket: 'pl'
    },
    totalPrice: 21_499
  })
  const { deliveryAddress } = market.order(id)?.user ?? {}
  t.match(deliveryAddress, { zip: /^\d{2}-\d{3}$/, phone: /^\d{9}$/, country: 'pl' })
})

t.test('a return names its reason and its time at its top, and has no id', async t => {
  const clock = createClock('2025-01-02T10:00:00.000Z')
  const { market, call } = await openMarket(t, { now: clock.now })
  const id = market.placeOrder({ lines: [line, { ...line, externalId: 'other' }] })

  market.returnOrder(id, [{ index: 0, quantity: 1 }], { reason: 'itemDamaged', comment: 'broken' })
  market.returnOrder(id)

  const created = '2025-01-02T10:00:00.000Z'
  const { returns } = (await call('GET', `/orders/${id}`)).json() as { returns: object[] }
  t.strictSame(returns, [
    { items: [{ index: 0, quentity: 1 }], reason: 'itemDamaged', created, comment: 'broken' },
    { items: [{ index: 0, quentity: 2 }, { index: 1, quentity: 2 }], reason: 'resign', created }
  ])
})

t.test('every order names its currency, in answers, inbox and hooks; only the sandbox does not', async t => {
  const hub = await openHub(t)
  const { market, call } = await openMarket(t, { resolveCallback: () => hub.url })
  await call('PUT', '/hooks/orderCreated', { hookName: 'orderCreated', url: 'https://hub.example/hooks' })
  const ids = [market.placeOrder({ lines: [line] }), market.placeOrder({ lines: [line], currency: 'EUR' })]
  await market.hooksSettled()
  const { market: sandbox, call: callSandbox } = await openMarket(t, { isSandbox: true })
  const inSandbox = sandbox.placeOrder({ lines: [line] })

  const read = await Promise.all(ids.map(async id => (await call('GET', `/orders/${id}`)).json()))
  t.match(read, [{ currency: 'PLN' }, { currency: 'EUR' }])
  t.match(market.inbox().map(({ payload }) => payload), [{ currency: 'PLN' }, { currency: 'EUR' }])
  const sent = hub.received.map(({ body }) => JSON.parse(body.toString()).currency)
  t.strictSame(sent.sort(), ['EUR', 'PLN'])
  t.notOk('currency' in ((await callSandbox('GET', `/orders/${inSandbox}`)).json() as object))
})

t.test('a line has no member without a value', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('hub-variant-1', { stock: 9, sku: null, ean: '5901234123457' })

  const id = market.placeOrder({ lines: [line, { ...line, externalId: 'older than the hub' }] })

  const { items } = (await call('GET', `/orders/${id}`)).json() as { items: object[] }
  const always = ['externalId', 'id', 'name', 'quantity', 'slug', 'unitPrice']
  t.strictSame(items.map(item => Object.keys(item).sort()), [['ean', ...always, 'taxRate'].sort(), always])
})

t.test('a buyer pays on delivery and leaves a comment', async t => {
  const { market } = await openMarket(t)

  const id = market.placeOrder({ lines: [line], delivery: { cod: true }, comment: 'call first' })

  t.match(market.order(id), {
    status: 'purchased',
    delivery: { typeId: 'dpd', cod: true },
    payment: { status: 'PENDING' },
    comment: 'call first'
  })
})

t.test('a purchased order changes without an announcement, and only its time of update tells', async t => {
  const clock = createClock('2025-01-02T10:00:00.000Z')
  const { market, call } = await openMarket(t, { now: clock.now })
  const id = market.placeOrder({ lines: [line] })
  const pending = market.placeOrder({ lines: [line], isPaid: false })
  clock.advance(60_000)

  market.changeOrder(id, {
    deliveryAddress: { address: 'ul. Inna 3', zip: '60-001', city: 'Poznan', country: 'pl' },
    lines: [{ ...line, quantity: 3 }, { externalId: 'other', quantity: 1, unitPrice: 500 }],
    comment: 'ring twice'
  })

  t.match((await call('GET', `/orders/${id}`)).json(), {
    status: 'purchased',
    user: { email: 'Buyer1@example.com', deliveryAddress: { address: 'ul. Inna 3' } },
    items: [{ id: 1, quantity: 3 }, { quantity: 1, unitPrice: 500 }],
    totalPrice: 31_999,
    comment: 'ring twice',
    updated: '2025-01-02T10:01:00.000Z'
  })
  t.equal(market.inbox().length, 2)
  t.throws(() => market.changeOrder(pending, {}), /pending/)
})

t.test('orders cannot be sorted by id', async t => {
  const { call } = await openMarket(t)

  t.equal((await call('POST', '/orders/_search', { pagination: { sortField: 'id' } })).status, 400)
})

t.test('an order that is not paid is pending, and every change of status is announced', async t => {
  const { market } = await openMarket(t)

  const id = market.placeOrder({ lines: [line], isPaid: false, user: null })
  market.payOrder(id)
  market.updateOrder(id, { sellerStatus: 'received' })

  t.match(market.inbox().map(({ type, payload }) => [type, payload]), [
    ['orderCreated', { id, status: 'pending', user: undefined }],
    ['orderStatusChanged', { id, status: 'purchased', purchasedAt: String }],
    ['orderSellerStatusChanged', { id, sellerStatus: 'received' }]
  ])
  t.equal(market.inbox().length, 3)
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
  t.match(await search({ filter: isPending }), { name: 'ValidationFailure' })
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
  const faults = [{ vendor: 'unknown' }, { vendor: 'ownTransport' }, { vendor: 'inpost', trackingNumber: 'a b' }]
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

t.test('tracking numbers follow one pattern, except those of four vendors', async t => {
  const { market, call } = await openMarket(t)
  const orderId = market.placeOrder({ lines: [line] })
  const vendors = ['inpost', 'pocztex24', 'raben', 'dpd', 'schenker', 'ownTransport', 'selfPickup']
  const send = (vendor: string, trackingNumber: string) =>
    call('POST', '/shipping/external', [{ vendor, orderId, trackingNumber, status: 'sent' }])

  for (const vendor of vendors) {
    const isFree = vendors.indexOf(vendor) > 2
    for (const number of ['620000,620001', '62 00', 'A-1', 'a/b/c/d', 'x'.repeat(33)]) {
      t.equal((await send(vendor, number)).status, isFree ? 200 : 400, `${vendor} ${number}`)
    }
    t.equal((await send(vendor, 'AB12/3')).status, 200, vendor)
  }
  t.match((await send('inpost', '1,2')).json(), [{ errorCode: 1200, errorMessage: /^trackingNumber: / }])
})

t.test('an order shows one of nine states of its parcel', async t => {
  const { market, call } = await openMarket(t)
  const orderId = market.placeOrder({ lines: [line] })
  const states = new Map([
    ['preparing', 'preparing'],
    ['readyToSend', 'readyToSend'],
    ['waitingForCourier', 'waitingForCourier'],
    ['sent', 'sent'],
    ['readyToPickup', 'readyToPickup'],
    ['pickupTimeExpired', 'readyToPickup'],
    ['delivered', 'sent'],
    ['returned', 'returned'],
    ['canceled', 'canceled'],
    ['deliveryUnsuccessful', 'onTheWay'],
    ['redirected', 'onTheWay']
  ])

  for (const [status, shown] of states) {
    await call('POST', '/shipping/external', [{ vendor: 'dpd', orderId, trackingNumber: '1', status }])
    t.equal(market.order(orderId)?.deliveryTracking?.status, shown, status)
  }
})
