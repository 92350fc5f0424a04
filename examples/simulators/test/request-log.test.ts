import t from 'tap'
import { createClock, openMarket, openShop, send } from './support.ts'

t.test('a request is logged with its body, its request id and the masked key', async t => {
  const clock = createClock('2025-01-01T00:00:00Z')
  const { market } = await openMarket(t, { now: clock.now })
  market.addProduct('v1')

  await send(`${market.baseUrl}/products/v1?fields=name&fields=stock`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer market-key', 'content-type': 'application/json', 'x-request-id': 'r-1' },
    body: '{"stock":7}'
  })

  const [entry] = market.requests.entries
  t.match(entry, {
    at: '2025-01-01T00:00:00.000Z',
    method: 'PATCH',
    path: '/svc/shop-api/products/v1',
    query: { fields: ['name', 'stock'] },
    body: { stock: 7 },
    status: 202,
    requestId: 'r-1'
  })
  t.equal(entry?.headers.authorization, 'Bearer ***')
  t.ok(Number(entry?.durationMs) > 0)
})

t.test('an XML body is logged as text', async t => {
  const { shop, write } = await openShop(t)

  await write('PATCH', '/stock_availables/1', '<shopa/>')

  t.equal(shop.requests.entries[0]?.body, '<shopa/>')
})

t.test('the log keeps the last thousand requests and can be cleared', async t => {
  const { market, call } = await openMarket(t)
  for (let count = 0; count < 1001; count += 1) await call('GET', `/products/v${count}`)

  t.equal(market.requests.entries.length, 1000)
  t.equal(market.requests.entries[0]?.path, '/svc/shop-api/products/v1')
  t.equal(market.requests.matching({ path: /v100$/ }).length, 1)
  market.requests.clear()
  t.equal(market.requests.entries.length, 0)
})

t.test('waitFor answers the first finished request that matches, past or future', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1')
  const coming = market.requests.waitFor({ method: 'PATCH', path: /\/products\/v1$/ })
  await call('GET', '/products/v1')
  await call('PATCH', '/products/v1', { stock: 1 })

  t.match(await coming, { method: 'PATCH', status: 202 })
  t.equal(await market.requests.waitFor({ method: 'PATCH' }), await coming)
})

t.test('waitFor gives up when its signal aborts', async t => {
  const { market } = await openMarket(t)
  const controller = new AbortController()
  const coming = market.requests.waitFor({ method: 'PATCH' }, controller.signal)
  controller.abort(new Error('too late'))

  await t.rejects(coming, { message: 'too late' })
  await t.rejects(market.requests.waitFor({ method: 'PATCH' }, controller.signal), { message: 'too late' })
})
