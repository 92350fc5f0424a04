import { signWebhook } from '@linker/sdk'
import t from 'tap'
import { connectionId, eventOf, openSender, secret, send } from '../support.ts'

const nowMs = Date.parse('2025-01-01T11:00:31.000Z')

function call (
  url: string,
  { timestamp = String(nowMs), body = '{}', signature = signWebhook(secret, timestamp, body), method = 'POST' } = {}
) {
  return send(url, {
    method,
    headers: { 'x-linker-timestamp': timestamp, 'x-linker-signature': signature },
    ...method === 'GET' ? {} : { body }
  })
}

t.test('a signed ping makes the shop send test.ping at once, past the outbox', async t => {
  const { hub, shop } = await openSender(t)

  for (const path of ['/module/linker/ping', '/index.php?fc=module&module=linker&controller=ping']) {
    const answer = await call(`${shop.url}${path}`)
    t.equal(answer.status, 200)
    t.strictSame(answer.json(), { ok: true })
  }
  t.strictSame(shop.sender.outbox.rows(), [])
  const { eventId, ...event } = eventOf(hub.received[0])
  t.match(eventId, /^test-[0-9a-f]{13}$/)
  t.strictSame(event, {
    schemaVersion: 1,
    eventType: 'test.ping',
    occurredAt: '2025-01-01T12:00:31+01:00',
    object: { type: 'connection', externalId: connectionId },
    payload: { source: 'install-verification' }
  })
})

t.test("a ping that the hub refuses is 502 with the hub's answer", async t => {
  const { shop } = await openSender(t, () => 401)
  const answer = await call(`${shop.url}/module/linker/ping`)

  t.equal(answer.status, 502)
  t.strictSame(answer.json(), { error: 'HTTP 401' })
})

t.test('a call is refused by the first check that it fails', async t => {
  const { hub, shop, configuration } = await openSender(t)
  const url = `${shop.url}/module/linker/ping`
  const cases: Array<[token: string, options: Parameters<typeof call>[1]]> = [
    ['missing-headers', { signature: '', timestamp: '0' }],
    ['bad-signature-format', { signature: 'sha256=abc', timestamp: '0' }],
    ['bad-signature-format', { signature: `md5=${'0'.repeat(64)}` }],
    ['timestamp-out-of-window', { timestamp: '0' }],
    ['timestamp-out-of-window', { timestamp: 'soon' }],
    ['timestamp-out-of-window', { timestamp: String(nowMs - 300_001) }],
    ['invalid-signature', { timestamp: String(nowMs - 300_000), signature: `sha256=${'0'.repeat(64)}` }]
  ]

  for (const [token, options] of cases) {
    const answer = await call(url, options)
    t.equal(answer.status, 401, token)
    t.strictSame(answer.json(), { error: token })
  }
  t.equal((await call(url, { timestamp: String(nowMs + 300_000) })).status, 200)
  t.equal((await call(url, { method: 'GET' })).status, 405)
  shop.sender.configure({ ...configuration, secret: '' })
  t.strictSame((await call(url, { signature: 'sha256=abc' })).json(), { error: 'misconfigured' })
  t.equal(hub.received.length, 1)
})

t.test('the test button sends the oldest pending row, which may be another event', async t => {
  const { clock, hub, shop } = await openSender(t)
  shop.setQuantity(28, 0, 1)
  clock.advance(1000)

  t.match(await shop.sender.testConnection(), { eventType: 'stock.changed', status: 'delivered' })
  t.match(await shop.sender.testConnection(), { eventType: 'test.ping', status: 'delivered' })
  const { eventType, object, payload } = eventOf(hub.received[1])
  t.strictSame({ eventType, object, payload }, {
    eventType: 'test.ping',
    object: { type: 'test', externalId: 'test' },
    payload: { test: true }
  })
})

t.test('the test button does nothing while no connection is configured', async t => {
  const { shop, configuration } = await openSender(t)
  shop.sender.configure({ ...configuration, connectionId: '' })

  t.equal(await shop.sender.testConnection(), undefined)
})

t.test('during maintenance every address of the module answers a page, and the webservice works', async t => {
  const { hub, shop } = await openSender(t)
  shop.switches.maintenance = true
  shop.setQuantity(28, 0, 1)

  const controllers = ['cron&token=none', 'ping', 'cartshipping', 'importorder']
  const addresses = controllers.map(name => `/index.php?fc=module&module=linker&controller=${name}`)
  for (const path of [...addresses, '/module/linker/ping']) {
    const answer = await call(`${shop.url}${path}`, { signature: 'none' })
    t.equal(answer.status, 503, path)
    t.match(answer.headers, { 'retry-after': '3600', 'content-type': /^text\/html/ }, path)
  }
  const key = Buffer.from(`${shop.key.apiKey}:`).toString('base64')
  const read = await send(`${shop.apiUrl}/products/28`, { headers: { authorization: `Basic ${key}` } })
  t.equal(read.status, 200)
  t.strictSame(await shop.sender.deliver(), [])
  t.match(shop.sender.outbox.rows(), [{ eventType: 'stock.changed', status: 'pending' }])
  t.strictSame(hub.received, [])

  shop.switches.maintenance = false
  t.match(await shop.sender.deliver(), [{ eventType: 'stock.changed', status: 'delivered' }])
  t.equal(hub.received.length, 1)
})
