import { startShopA } from '@linker/simulators'
import t from 'tap'
import { basic, codes, openShop, send, shopKey } from '../support.ts'

const json = { 'output-format': 'JSON' }

t.test('each kind of bad key has its own code', async t => {
  const { shop } = await openShop(t)
  const address = `${shop.apiUrl}/products`
  const attempts = [
    { code: 17, headers: { ...json, authorization: basic('') } },
    { code: 18, headers: { ...json, authorization: basic('short') } },
    { code: 20, headers: { ...json, authorization: basic('f'.repeat(32)) } }
  ]

  for (const { code, headers } of attempts) {
    const answer = await send(address, { headers })
    t.equal(answer.status, 401)
    t.strictSame(codes(answer), code === 20 ? [20, 21] : [code])
    t.match(answer.headers['www-authenticate'], /^Basic realm=/)
  }
})

t.test('a request without a key gets a bare page without a code', async t => {
  const { shop } = await openShop(t)

  for (const headers of [json, { ...json, authorization: `Bearer ${shopKey}` }]) {
    const answer = await send(`${shop.apiUrl}/products`, { headers })
    t.equal(answer.status, 401)
    t.equal(answer.text, '401 Unauthorized')
    t.match(answer.headers['content-type'], /^text\/html/)
  }
})

t.test('the root lists the resources of the key with its methods', async t => {
  const { shop, get } = await openShop(t)
  shop.key.permissions = { products: ['GET', 'HEAD'], carts: ['GET', 'POST'] }

  const { text } = await get('/')

  t.match(text, /<products [^>]*get="true" head="true">/)
  t.match(text, /<carts [^>]*get="true" post="true">/)
  t.notMatch(text, /<orders/)
})

t.test('an inactive key is refused with code 20', async t => {
  const { shop, get } = await openShop(t)
  shop.key.isActive = false

  const answer = await get('/products')

  t.equal(answer.status, 401)
  t.strictSame(codes(answer), [20])
})

t.test('the key is also accepted as a query parameter, and masked in the request log', async t => {
  const { shop } = await openShop(t)

  const answer = await send(`${shop.apiUrl}/products?ws_key=${shopKey}`)

  t.equal(answer.status, 200)
  t.strictSame(shop.requests.entries[0]?.query, { ws_key: '***' })
})

t.test('the shop ignores the password of the Basic header', async t => {
  const { shop } = await openShop(t)

  const answer = await send(`${shop.apiUrl}/products`, {
    headers: { authorization: `Basic ${btoa(`${shopKey}:anything`)}` }
  })

  t.equal(answer.status, 200)
})

t.test('a resource or a method that the key does not permit is refused', async t => {
  const { shop, get, write } = await openShop(t)
  delete shop.key.permissions.combinations
  shop.key.permissions.stock_availables = ['GET']

  const resource = await get('/combinations')
  const method = await write('PATCH', '/stock_availables/1', '<shopa/>')

  t.equal(resource.status, 401)
  t.strictSame(codes(resource), [26])
  t.equal(method.status, 405)
  t.strictSame(codes(method), [25])
})

t.test('a key of another length than 32 characters is refused at the start', async t => {
  await t.rejects(startShopA({ apiKey: 'short' }), { message: 'a key of the shop has 32 characters, not 5' })
})
