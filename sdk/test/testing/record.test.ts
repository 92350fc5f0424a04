import { defineAdapter, type HttpClient } from '@linker/sdk'
import { createTestContext, createTestHost } from '@linker/sdk/testing'
import { Type } from '@sinclair/typebox'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startUpstream } from '../http/support.ts'

const apiKey = 'canary-key-0123456789'
const manifest = {
  adapterKey: 'feed.api.v1',
  platformType: 'feed',
  displayName: 'Feed',
  capabilities: ['ProductMaster'],
  permissions: { http: ['${config.baseUrl}'] }
}
const definition = defineAdapter({
  config: Type.Object({ baseUrl: Type.String() }),
  credentials: Type.Object({ shop: Type.String(), apiKey: Type.String({ secret: true }) }),
  connect: ({ http, config, credentials }) =>
    http({ baseUrl: config.baseUrl, headers: { 'x-api-key': credentials.apiKey } }),
  account: async () => ({ id: '1', name: 'Test' }),
  capabilities: {
    ProductMaster: (client: HttpClient) => ({
      async getProduct (externalId: string) {
        const { id, name } = await client.get(`products/${externalId}`) as { id: number, name: string }
        return { externalId: String(id), name, isActive: true, variants: [{ externalId: String(id) }] }
      },
      listProducts: async () => ({ items: [] })
    })
  }
})

async function open (t: Test, host: ReturnType<typeof createTestHost>, baseUrl: string) {
  t.teardown(() => host.close().catch(() => undefined))
  return host.open({ manifest, definition, config: { baseUrl }, credentials: { shop: 'my-shop', apiKey } })
}

/** A shop that repeats the key in its answers. */
const startShop = (t: Test) =>
  startUpstream(t, (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({
      id: 27,
      name: 'Lamp',
      echo: request.headers['x-api-key'],
      seller: { email: 'seller@shop.test' }
    }))
  })

t.test('the traffic of an adapter is in a readable file, and its key is not', async t => {
  const file = join(t.testdir(), 'fixtures', 'products.json')
  const { baseUrl } = await startShop(t)
  const host = createTestHost({ record: file })
  const shop = await open(t, host, `${baseUrl}/api`)

  await shop.ProductMaster.getProduct('27')
  t.notOk(existsSync(file))
  await host.close()

  const text = await readFile(file, 'utf8')
  t.strictSame(JSON.parse(text), {
    recordedAt: '2025-01-01T00:00:00.000Z',
    exchanges: [{
      request: { method: 'GET', path: '/api/products/27' },
      answer: {
        status: 200,
        body: { id: 27, name: 'Lamp', echo: '[redacted]', seller: { email: 'person1@example.com' } }
      }
    }]
  })
  t.match(text, /\n {2}"exchanges": \[\n/)
})

t.test('a recording is replayed without the platform', async t => {
  const file = join(t.testdir(), 'products.json')
  const { baseUrl, requests } = await startShop(t)
  const recording = createTestHost({ record: file })
  const recorded = await (await open(t, recording, baseUrl)).ProductMaster.getProduct('27')
  await recording.close()
  const host = createTestHost({ replay: file })
  const shop = await open(t, host, 'https://other.test')

  t.strictSame(host.unasked, ['GET /products/27'])
  t.strictSame(await shop.ProductMaster.getProduct('27'), recorded)
  t.strictSame(host.unasked, [])
  t.equal(requests.length, 1)
})

t.test('an attempt that the platform refused is recorded, and so is its repeat', async t => {
  const file = join(t.testdir(), 'products.json')
  let count = 0
  const { baseUrl } = await startUpstream(t, (_request, response) => {
    count += 1
    if (count === 1) response.writeHead(503, { 'retry-after': '0' }).end()
    else response.end('{"id":1,"name":"Mug"}')
  })
  const host = createTestHost({ record: file })
  await (await open(t, host, baseUrl)).ProductMaster.getProduct('1')
  await host.close()

  t.match(JSON.parse(await readFile(file, 'utf8')).exchanges, [
    { answer: { status: 503, headers: { 'retry-after': '0' } } },
    { answer: { status: 200 } }
  ])
  const replayed = createTestHost({ replay: file })
  t.match(await (await open(t, replayed, baseUrl)).ProductMaster.getProduct('1'), { name: 'Mug' })
})

t.test('a function that takes a context is recorded without any of its credentials', async t => {
  const file = join(t.testdir(), 'products.json')
  const { baseUrl } = await startShop(t)
  const host = createTestHost({ record: file })
  const { context } = createTestContext({ host, manifest, config: { baseUrl }, credentials: { apiKey } })

  await context.http({ baseUrl }).get(`products/${apiKey}`, { headers: { 'x-api-key': apiKey } })
  await host.close()

  t.notMatch(await readFile(file, 'utf8'), apiKey)
})

t.test('a host that recorded nothing says so and leaves no file', async t => {
  const file = join(t.testdir(), 'nothing.json')
  const host = createTestHost({ record: file })

  await t.rejects(host.close(), { message: `no request was sent, so ${file} is not written` })
  t.notOk(existsSync(file))
})

t.test('a host does not record and replay at once', async t => {
  t.throws(() => createTestHost({ record: 'a.json', replay: 'a.json' }), { message: /either records or replays/ })
})

t.test('the author replaces values that the host does not know', async t => {
  const file = join(t.testdir(), 'products.json')
  const { baseUrl } = await startShop(t)
  const host = createTestHost({
    record: file,
    redact: (value, pointer) => pointer === '/answer/body/name' ? 'A product' : value
  })
  await (await open(t, host, baseUrl)).ProductMaster.getProduct('27')
  await host.close()

  t.match(JSON.parse(await readFile(file, 'utf8')).exchanges[0].answer.body, { name: 'A product' })
})
