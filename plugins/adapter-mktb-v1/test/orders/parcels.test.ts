import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createOrderSource } from '../../src/orders/order-source.ts'
import { createMarketplace, upstream } from '../marketplace.ts'
import { upstreamOrder } from './order.ts'

const { connect, logs, clock } = createMarketplace(t)
const { notFound, outcomeUnknown, rateLimited, rejected, transient } = AdapterErrorCode
const id = '250102x10002'
const path = `/orders/${id}`
const parcel = { carrier: 'DPD Polska', number: '0000 1234 56789' }
const twoMinutesMs = 120_000

function orderSource () {
  const { client, context } = connect({ orderWriteBack: true })
  return createOrderSource(client, context)
}

const addTracking = (number: string) => orderSource().addTracking(id, { carrier: 'dpd', number })
const shown = (deliveryTracking: object | null) => upstream().get(path).reply(200, upstreamOrder({ deliveryTracking }))
const post = (trackingNumber: string) =>
  upstream().post('/shipping/external', [{ vendor: 'dpd', orderId: id, trackingNumber }])

/** Sends a parcel and loses the answer: nobody knows whether the marketplace registered it. */
async function lose (number: string, before: object | null = null): Promise<void> {
  shown(before)
  post(number).replyWithError(Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' }))
  await addTracking(number).catch(() => undefined)
}

t.test('a parcel is registered once, even when the order shows another one since', async t => {
  upstream().get(path).reply(200, upstreamOrder({ deliveryTracking: null }))
    .post('/shipping/external', [{ vendor: 'dpd', orderId: id, trackingNumber: '0000123456789' }])
    .reply(200, [{ id: 55, orderId: id, type: 'external' }])
    .get(path).reply(200, upstreamOrder())
  const source = orderSource()

  t.equal(await source.addTracking(id, parcel), undefined)
  t.equal(await source.addTracking(id, parcel), undefined)
})

t.test('a parcel that the order already shows is not registered again', async t => {
  upstream().get(path).reply(200, upstreamOrder())

  t.equal(await orderSource().addTracking(id, { carrier: 'InPost', number: '620000' }), undefined)
})

t.test('a carrier is found by the beginning of its name; others are own transport with a status', async t => {
  const vendors = {
    'Poczta Polska Kurier48': 'pocztaPolska',
    Pocztex: 'pocztex24',
    Paczkomaty: 'inpost',
    'DHL Express': 'dhl',
    FedEx: 'fedex',
    'Pan Kurier': 'ownTransport'
  }
  for (const vendor of Object.values(vendors)) {
    const status = ['fedex', 'ownTransport'].includes(vendor) ? { status: 'sent' } : {}
    const expected = { vendor, orderId: id, trackingNumber: vendor, ...status }
    upstream().get(path).reply(200, upstreamOrder())
      .post('/shipping/external', [expected]).reply(200, [{ id: 55 }])
  }

  for (const [carrier, number] of Object.entries(vendors)) await orderSource().addTracking(id, { carrier, number })
  t.match(logs, [{ level: 'warn', fields: { externalId: id, carrier: 'Pan Kurier' } }])
})

t.test('several numbers in one field are several parcels, and a repetition sends only the missing ones', async t => {
  const field = { carrier: 'InPost', number: '620000000000000000000001, 620000000000000000000002' }
  const [first, second] = field.number.split(', ')
  const send = (trackingNumber: string | undefined) =>
    upstream().post('/shipping/external', [{ vendor: 'inpost', orderId: id, trackingNumber }])
  shown(null)
  send(first).reply(200, [{ id: 55 }])
  send(second).reply(429, '')
  await t.rejects(orderSource().addTracking(id, field), { code: rateLimited })

  shown({ vendor: 'inpost', trackingNumber: first })
  send(second).reply(200, [{ id: 56 }])
  t.equal(await orderSource().addTracking(id, field), undefined)
})

t.test('a parcel that the order showed is not registered again when numbers are added to the field', async t => {
  shown({ vendor: 'dpd', trackingNumber: 'SELLERS1' })
  post('ADDED2').reply(200, [{ id: 56 }])
  t.equal(await addTracking('SELLERS1, ADDED2'), undefined)

  shown({ vendor: 'dpd', trackingNumber: 'ADDED2' })
  post('ADDED3').reply(200, [{ id: 57 }])
  t.equal(await addTracking('SELLERS1, ADDED2, ADDED3'), undefined)
})

t.test('a number that the marketplace would refuse is not sent', async t => {
  for (const number of ['620000, two parcels', 'x', 'A-1', 'a/b/c/d', '6'.repeat(33)]) {
    shown(null)
    await t.rejects(orderSource().addTracking(id, { carrier: 'InPost', number }), {
      code: rejected,
      fields: [{ pointer: '/number' }]
    })
  }
  shown(null)
  const secret = await orderSource().addTracking(id, { carrier: 'InPost', number: '620000000001, 62-SECRET-62' })
    .catch(String)
  t.match(secret, /number 2 of 2 does not/)
  t.notMatch(secret, /SECRET/, 'the text reaches the log and the problem of the order')
  shown(null)
  upstream().post('/shipping/external', [{ vendor: 'dpd', orderId: id, trackingNumber: 'A-1' }]).reply(200, [{
    id: 55
  }])
  t.equal(await orderSource().addTracking(id, { carrier: 'dpd', number: 'A-1' }), undefined)
})

t.test('a failure inside a 200 is a failure', async t => {
  const failed = (errorCode: number, errorMessage: string) => {
    return [{ vendor: 'dpd', orderId: id, error: [{ errorCode, errorMessage }] }]
  }
  const cases: Array<[status: number, answer: object, code: string, message: RegExp]> = [
    [200, failed(1402, 'order not found'), notFound, /1402 order not found/],
    [200, failed(1110, 'order is cancelled'), rejected, /1110/],
    [200, failed(1102, 'could not create'), transient, /1102/],
    [200, [], outcomeUnknown, /parcel/],
    [400, [{ errorCode: 1200, errorMessage: 'trackingNumber: invalid' }], rejected, /trackingNumber: invalid/]
  ]

  for (const [status, answer, code, message] of cases) {
    upstream().get(path).reply(200, upstreamOrder()).post('/shipping/external').reply(status, answer)
    await t.rejects(orderSource().addTracking(id, { carrier: 'dpd', number: String(code) }), { code, message })
  }
})

t.test('after a lost answer a parcel that the order shows is not sent again, and stays known', async t => {
  await lose('LOST1')
  shown({ vendor: 'dpd', trackingNumber: 'LOST1' })
  t.equal(await addTracking('LOST1'), undefined)

  shown({ vendor: 'dpd', trackingNumber: 'ANOTHER' })
  t.equal(await addTracking('LOST1'), undefined)
})

t.test('after a lost answer the parcel may be under way, so the hub waits two minutes', async t => {
  await lose('LOST2')
  clock.advance(30_000)
  for (const deliveryTracking of [null, { vendor: 'dpd', trackingNumber: 'ANOTHER' }]) {
    shown(deliveryTracking)
    await t.rejects(addTracking('LOST2'), { code: rateLimited, retryAfterMs: 90_000 })
  }
})

t.test('when the order shows no parcel after two minutes, the lost one is sent again', async t => {
  await lose('LOST3')
  clock.advance(twoMinutesMs)
  shown(null)
  post('LOST3').reply(200, [{ id: 55 }])

  t.equal(await addTracking('LOST3'), undefined)
})

t.test('when the order shows another parcel, the error asks the seller to look for the lost one', async t => {
  const others = {
    LOST4: { vendor: 'dpd', trackingNumber: 'ANOTHER' },
    LOST5: { status: 'preparing', trackingUrl: 'https://follow.example/1' }
  }
  for (const [number, deliveryTracking] of Object.entries(others)) {
    await lose(number, deliveryTracking)
    clock.advance(twoMinutesMs)
    shown(deliveryTracking)

    await t.rejects(addTracking(number), { code: rejected, message: /in the seller's panel/ }, number)
  }
})

t.test('an answer that leaves the outcome unknown is not followed by an immediate repeat', async t => {
  const answers: Array<[status: number, answer: string | object, headers?: Record<string, string>]> = [
    [503, ''],
    [503, '', { 'retry-after': '1' }],
    [500, ''],
    [408, ''],
    [200, '<html>'],
    [200, [{ error: [{ errorCode: 1100 }] }]],
    [200, [{ error: [{ errorCode: 1101, errorMessage: 'internal error while creating' }] }]]
  ]
  for (const [index, [status, answer, headers]] of answers.entries()) {
    shown(null)
    post(`OPEN${index}`).reply(status, answer, headers)
    await t.rejects(addTracking(`OPEN${index}`), { code: outcomeUnknown }, `${status} ${JSON.stringify(answer)}`)
    shown(null)
    await t.rejects(addTracking(`OPEN${index}`), { code: rateLimited })
  }
})

t.test('a refused parcel can be sent again', async t => {
  const answers: Array<[status: number, answer: string | object, code: string]> = [
    [400, [{ errorCode: 1200, errorMessage: 'vendor: invalid' }], rejected],
    [429, '', rateLimited],
    [200, [{ error: [{ errorCode: 1102 }] }], transient],
    [200, [{ error: [{ errorCode: 1402 }] }], notFound]
  ]
  for (const [index, [status, answer, code]] of answers.entries()) {
    shown({ vendor: 'dpd', trackingNumber: 'ANOTHER' })
    post(`REFUSED${index}`).reply(status, answer)
    await t.rejects(addTracking(`REFUSED${index}`), { code })

    shown({ vendor: 'dpd', trackingNumber: 'ANOTHER' })
    post(`REFUSED${index}`).reply(200, [{ id: 55 }])
    t.equal(await addTracking(`REFUSED${index}`), undefined)
  }
})

t.test('a parcel of a foreign order is refused without doubting the key', async t => {
  shown(null)
  post('FOREIGN').reply(200, [{
    vendor: 'dpd',
    orderId: id,
    error: [{ errorCode: 1300, errorMessage: 'not your order' }]
  }])

  await t.rejects(addTracking('FOREIGN'), { code: rejected, message: /1300 not your order/ })
})
