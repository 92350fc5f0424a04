import t from 'tap'
import { codes } from '../support.ts'
import { openMktA } from './market.ts'

async function openOrder (t: Parameters<typeof openMktA>[0]) {
  const opened = await openMktA(t)
  const id = opened.market.placeOrder({ lines: [{ offerId: '1', quantity: 1 }, { offerId: '2', quantity: 1 }] })
  const items = opened.market.order(id)?.lineItems.map(item => ({ id: item.id })) ?? []
  const path = `/order/checkout-forms/${id}/shipments`
  const add = (body: object) => opened.call('POST', path, { carrierId: 'DPD', waybill: '0000123456789', ...body })
  return { ...opened, id, items, path, add }
}

t.test("a tracking number keeps its line items, and the form's summary shows how many have one", async t => {
  const { clock, call, id, items, path, add } = await openOrder(t)
  const summary = async () =>
    ((await call('GET', `/order/checkout-forms/${id}`)).json() as { fulfillment: { shipmentSummary: unknown } })
      .fulfillment.shipmentSummary

  const added = await add({ lineItems: items.slice(0, 1) })

  t.equal(added.status, 201)
  t.match(added.json(), {
    id: /./,
    waybill: '0000123456789',
    carrierId: 'DPD',
    carrierName: undefined,
    lineItems: items.slice(0, 1),
    createdAt: '2025-01-01T12:00:00.000Z'
  })
  t.strictSame(await summary(), { lineItemsSent: 'NONE' })
  clock.advance(1_000)
  t.strictSame(await summary(), { lineItemsSent: 'SOME' })
  t.equal((await add({ carrierId: 'OTHER', carrierName: 'By hand' })).status, 201)
  clock.advance(1_000)
  t.strictSame(await summary(), { lineItemsSent: 'ALL' })
  t.match((await call('GET', path)).json(), {
    shipments: [{ carrierId: 'DPD' }, { carrierId: 'OTHER', carrierName: 'By hand', lineItems: items }]
  })
  t.match((await call('GET', '/order/carriers')).json(), { carriers: [{ id: 'DPD', name: 'DPD' }, { id: 'DHL' }] })
})

t.test('each fault of a tracking number has its own code', async t => {
  const { market, call, id, items, path, add } = await openOrder(t)

  t.strictSame(codes(await add({ carrierId: 'PIGEON' })), ['CarrierIdValidationException'])
  t.strictSame(
    codes(await add({ carrierId: 'MKTA' })),
    ['CarrierIdValidationException'],
    'the marketplace takes no new numbers of its own carrier'
  )
  for (const waybill of ['', 'x'.repeat(65)]) {
    t.strictSame(codes(await add({ waybill })), ['CarrierWaybillValidationException'])
  }
  t.match(await add({ carrierName: 'DPD' }), { status: 400, text: /carrierName is for the carrier OTHER only/ })
  t.match(await add({ carrierId: 'OTHER', carrierName: 'x'.repeat(31) }), {
    status: 400,
    text: /carrierName has at most 30 characters/
  })
  t.match(await add({ lineItems: [...items, { id: 'another' }] }), { status: 422 })
  t.match(await call('POST', path, { carrierId: 'DPD' }), { status: 400 })
  t.strictSame(codes(await call('POST', path.replace(id, 'unknown'), { carrierId: 'DPD', waybill: '1' })), [
    'CHECKOUT_FORM_NOT_FOUND'
  ])
  t.equal((await call('GET', path.replace(id, 'unknown'))).status, 404)
  t.equal((await add({ waybill: 'x'.repeat(64) })).status, 201)
  market.cancelOrder(id)
  t.equal((await add({})).status, 422)
  t.equal(market.shipments(id).length, 1)
})

t.test('the same tracking number again is a second row, and in too many orders a conflict', async t => {
  const { market, call, id, path, add } = await openOrder(t)
  const other = market.placeOrder({ lines: [{ offerId: '1', quantity: 1 }] })
  const addToOther = async () =>
    (await call('POST', path.replace(id, other), { carrierId: 'DPD', waybill: '0000123456789' })).status
  market.switches.ordersPerWaybill = 1

  t.strictSame([(await add({})).status, (await add({})).status], [201, 201])
  t.equal(await addToOther(), 409)
  market.switches.ordersPerWaybill = 2
  t.equal(await addToOther(), 201)
  t.equal(market.shipments(id).length, 2)
})

t.test('two numbers in one field are refused', async t => {
  const { add } = await openOrder(t)

  for (const waybill of ['1, 2', '1;2', '1 2']) {
    t.strictSame(codes(await add({ waybill })), ['WaybillValidationException'], waybill)
  }
})

t.test('an order takes a limited number of operations, fulfilment included', async t => {
  const { market, call, id, add } = await openOrder(t)
  market.switches.operationsPerOrder = 2
  const fulfil = () => call('PUT', `/order/checkout-forms/${id}/fulfillment`, { status: 'SENT' })

  t.equal((await add({})).status, 201)
  t.equal((await add({ carrierId: 'PIGEON' })).status, 400, 'a refused number does not count')
  t.equal((await fulfil()).status, 204)
  t.strictSame(codes(await fulfil()), ['SellerOrdersStoreUnprocessableEntityException'])
  t.strictSame(codes(await add({})), ['SellerOrdersStoreUnprocessableEntityException'])
  t.equal(market.shipments(id).length, 1)
})
