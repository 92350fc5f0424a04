import t from 'tap'
import { openHub, openMarket } from '../support.ts'

const hook = { hookName: 'orderCreated', url: 'https://hub.example/webhooks/mktb/1', accessToken: 'token' } as const
const order = {
  id: '250102x10002',
  status: 'purchased',
  updated: '2025-01-02T10:05:00.000Z',
  items: [{ id: 1, externalId: 'hub-variant-1', quantity: 1 }]
}

t.test('a hook is registered under its name, overwritten and removed', async t => {
  const { market, call } = await openMarket(t)

  const registered = await call('PUT', '/hooks/orderCreated', { ...hook, url: 'https://other.example' })
  await call('PUT', '/hooks/orderCreated', hook)
  const listed = await call('GET', '/hooks')
  const removed = await call('DELETE', '/hooks/orderCreated')

  t.equal(registered.status, 201)
  t.strictSame(listed.json(), [hook])
  t.equal(removed.status, 202)
  t.strictSame(market.hooks(), [])
})

t.test('a hook with an invalid body is refused', async t => {
  const { market, call } = await openMarket(t)
  const { hookName: _hookName, ...unnamed } = hook
  const faults = [
    { hookName: 'orderStatusChanged' },
    { secret: 'x' },
    { url: 'x'.repeat(2001) },
    { accessToken: 'x'.repeat(401) }
  ]
  const wrong = [unnamed, ...faults.map(fault => ({ ...hook, ...fault }))]

  for (const body of wrong) {
    t.match((await call('PUT', '/hooks/orderCreated', body)).json(), { name: 'ValidationFailure' })
  }
  t.equal((await call('PUT', '/hooks/unknown', { ...hook, hookName: 'unknown' })).status, 400)
  t.strictSame(market.hooks(), [])
})

t.test('a delivery has the order and the token, but not the name of the hook', async t => {
  const hub = await openHub(t)
  const { market, call } = await openMarket(t, { resolveCallback: url => url.replace('https://hub.example', hub.url) })
  await call('PUT', '/hooks/orderCreated', hook)

  const delivery = await market.deliverHook('orderCreated', order)

  t.strictSame(delivery, { outcome: 'accepted', url: `${hub.url}/webhooks/mktb/1`, statusCode: 202 })
  const [received] = hub.received
  t.strictSame(JSON.parse(received?.body.toString() ?? ''), order)
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = received?.headers ?? {}
  t.strictSame(headers, { 'content-type': 'application/json', authorization: 'Bearer token' })
})

t.test('a delivery is sent once, whatever its outcome', async t => {
  const hub = await openHub(t, count => count === 1 ? 503 : undefined)
  const { market, call } = await openMarket(t, {
    resolveCallback: url => url === hook.url ? hub.url : url,
    hookTimeoutMs: 2_000
  })

  t.strictSame(await market.deliverHook('orderCreated', order), { outcome: 'not-registered' })
  await call('PUT', '/hooks/orderCreated', hook)
  t.match(await market.deliverHook('orderCreated', order), { outcome: 'refused', statusCode: 503 })
  t.match(await market.deliverHook('orderCreated', order), { outcome: 'timed-out' })
  t.equal(hub.received.length, 2)
  await call('PUT', '/hooks/orderCreated', { ...hook, url: 'http://127.0.0.1:1/' })
  t.match(await market.deliverHook('orderCreated', order), { outcome: 'failed', error: String })
})

t.test('a delivery fails, without a request, when the local address cannot be found', async t => {
  const { market, call } = await openMarket(t, {
    resolveCallback () {
      throw new Error('no local address')
    }
  })
  await call('PUT', '/hooks/orderCreated', hook)

  t.strictSame(await market.deliverHook('orderCreated', order), {
    outcome: 'failed',
    url: hook.url,
    error: 'no local address'
  })
})
