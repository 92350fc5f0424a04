import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { codes, openMarket, openShop } from './support.ts'

const reset = { code: /ECONNRESET|UND_ERR_SOCKET/ }

t.test('a fault answers the next matching requests instead of the simulator, then ends', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })
  market.faults.add({
    method: 'PATCH',
    path: /\/products\//,
    times: 2,
    answer: { status: 429, headers: { 'retry-after': '3' }, body: { message: 'slow down' } }
  })

  const read = await call('GET', '/products/v1')
  const first = await call('PATCH', '/products/v1', { stock: 5 })
  const second = await call('PATCH', '/products/v1', { stock: 6 })

  t.equal(read.status, 200)
  t.equal(first.status, 429)
  t.equal(first.headers['retry-after'], '3')
  t.strictSame(first.json(), { message: 'slow down' })
  t.equal(second.status, 429)
  t.equal(market.product('v1')?.stock, 1)
  t.equal(market.faults.pending(), 0)
  t.equal((await call('PATCH', '/products/v1', { stock: 7 })).status, 202)
})

t.test('the log shows the request of the client and the answer that it received', async t => {
  const { market, call } = await openMarket(t)
  market.faults.add({ answer: { status: 503 } })

  await call('PATCH', '/products/v1', { stock: 5 })

  t.match(market.requests.entries[0], { status: 503, body: { stock: 5 } })
})

t.test('an answer can be lost after the write was applied', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })
  market.faults.add({ method: 'PATCH', when: 'after', answer: { status: 502, body: '<html>Bad gateway</html>' } })

  const answer = await call('PATCH', '/products/v1', { stock: 5 })

  t.equal(answer.status, 502)
  t.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  t.equal(answer.text, '<html>Bad gateway</html>')
  t.equal(market.product('v1')?.stock, 5)
})

t.test('the connection can be reset before the write', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })
  market.faults.add({ reset: true })

  await t.rejects(call('PATCH', '/products/v1', { stock: 5 }), reset)

  t.equal(market.product('v1')?.stock, 1)
  const [entry] = market.requests.entries
  t.notOk(Object.hasOwn(entry ?? {}, 'status'))
  t.type(entry?.durationMs, 'number')
})

t.test('the connection can be reset after the write', async t => {
  const { shop, write } = await openShop(t)
  shop.faults.add({ method: 'PATCH', reset: true, when: 'after' })

  await t.rejects(
    write(
      'PATCH',
      '/stock_availables/4',
      '<shopa><stock_available><id>4</id><quantity>5</quantity></stock_available></shopa>'
    ),
    reset
  )

  t.equal(shop.stock(28, 0), 5)
})

t.test('a fault can answer a malformed body with status 200', async t => {
  const { shop, get } = await openShop(t)
  shop.faults.add({
    path: '/api/products',
    answer: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"products":[{"id":27' }
  })

  const answer = await get('/products?display=full')

  t.equal(answer.status, 200)
  t.equal(answer.headers['content-type'], 'application/json')
  t.throws(answer.json, SyntaxError)
})

t.test('maintenance of the shop is a fault with its error body', async t => {
  const { shop, get } = await openShop(t)
  shop.faults.add({ answer: { status: 503, body: { errors: [{ code: 22, message: 'The webservice is off' }] } } })

  const answer = await get('/products')

  t.equal(answer.status, 503)
  t.strictSame(codes(answer), [22])
})

t.test('a delayed request is handled after the delay', async t => {
  const { market, call } = await openMarket(t)
  market.faults.add({ delayMs: 30 })

  const answer = await call('GET', '/me')

  t.equal(answer.status, 200)
  t.ok(Number(market.requests.entries[0]?.durationMs) >= 29)
})

t.test('a held request is handled when its promise settles, also by rejecting', async t => {
  const { market, call } = await openMarket(t)
  for (const end of ['resolve', 'reject'] as const) {
    const held = Promise.withResolvers<void>()
    market.faults.add({ until: held.promise })
    let isAnswered = false
    const waiting = call('GET', '/me').then(answer => {
      isAnswered = true
      return answer
    })
    while (market.faults.pending() > 0) await setImmediate()
    const other = await call('GET', '/me')

    t.equal(other.status, 200)
    t.notOk(isAnswered)
    held[end]()
    t.equal((await waiting).status, 200)
  }
})

const endless = { 'a delay': { delayMs: 600_000 }, 'a wait': { until: new Promise(() => undefined) } }
for (const [what, fault] of Object.entries(endless)) {
  t.test(`closing the simulator ends ${what}`, async t => {
    const { market, call } = await openMarket(t)
    market.faults.add(fault)
    const waiting = call('GET', '/me').then(({ status }) => status, () => 'no answer')
    while (market.faults.pending() > 0) await setImmediate()
    await market.close()

    t.not(await waiting, 200)
  })
}

t.test('a request meets one fault at most, the one that was added first', async t => {
  const { market, call } = await openMarket(t)
  market.faults.add({ answer: { status: 500 } })
  market.faults.add({ answer: { status: 503 } })

  t.equal((await call('GET', '/me')).status, 500)
  t.equal((await call('GET', '/me')).status, 503)
  market.faults.add({ answer: { status: 500 } })
  market.faults.clear()
  t.equal((await call('GET', '/me')).status, 200)
})

t.test('faults.add refuses a fault without effect, with contradictions or without requests', async t => {
  const { market } = await openMarket(t)

  t.throws(() => market.faults.add({ method: 'GET' }), {
    message: 'a fault needs one of delayMs, until, answer and reset'
  })
  t.throws(() => market.faults.add({ reset: true, answer: { status: 500 } }), {
    message: 'a fault cannot both answer and reset'
  })
  t.throws(() => market.faults.add({ delayMs: 1, times: 0 }), { message: 'times must be a positive integer, not 0' })
})
