import t from 'tap'
import { createClock, openMarket, send } from '../support.ts'

const mug = {
  name: 'Mug blue 300 ml',
  images: [{ url: 'https://cdn.example/mug.jpg' }],
  price: 10_000,
  stock: 8,
  dispatchTime: { unit: 'day', period: 2 },
  taxRate: 'TAX_23'
}
const minuteMs = 60_000

t.test('a wrong key is 401, without a name and a trace', async t => {
  const { market } = await openMarket(t)

  for (const authorization of ['Bearer other', 'market-key', '']) {
    const answer = await send(`${market.baseUrl}/me`, { headers: { authorization } })
    t.equal(answer.status, 401)
    const { spanId, ...rest } = answer.json() as Record<string, unknown>
    t.match(spanId, /^[0-9a-f]+$/)
    t.strictSame(rest, { failureType: 'security', message: 'Invalid API key', httpCode: 401 })
  }
})

t.test('the account answers below the base path only', async t => {
  const { market, call } = await openMarket(t)

  t.match((await call('GET', '/me')).json(), { id: 1234, name: 'my-shop', active: true })
  const outside = await send(`${market.url}/me`, { headers: { authorization: 'Bearer market-key' } })
  t.equal(outside.status, 404)
  t.match(outside.json(), { name: 'NotFoundError', message: 'No such address: GET /me' })
})

t.test('the account can be made inactive', async t => {
  const { market, call } = await openMarket(t)
  market.account.active = false

  t.match((await call('GET', '/me')).json(), { active: false })
})

t.test('a POST answers 202 without a body, and reads show the members that the marketplace adds', async t => {
  const { call } = await openMarket(t)

  const created = await call('POST', '/products/hub-variant-1', mug)
  const read = await call('GET', '/products/hub-variant-1')

  t.equal(created.status, 202)
  t.equal(created.text, '')
  t.equal(read.status, 200)
  t.match(read.json(), {
    ...mug,
    externalId: 'hub-variant-1',
    marketplaceId: Number,
    slug: 'mug-blue-300-ml',
    status: 'active',
    archived: false,
    frozen: {},
    categories: [],
    attributes: [],
    externalAttributes: [],
    externalCategories: [],
    files: [],
    images: [{ url: 'https://cdn.example/mug.jpg', internalUrl: /^https:/ }],
    buyableProblems: { length: 0 }
  })
})

t.test('reads never say whether packaging is frozen, although it can be', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { frozen: { packaging: true, price: true } })

  const read = await call('GET', '/products/v1?fields=frozen')
  const written = await call('PATCH', '/products/v1', { packaging: { weight: 1 } })

  t.strictSame(read.json(), { frozen: { price: true } })
  t.strictSame(written.json(), { updatedFields: [] })
})

t.test('a second creation is a conflict, even while the first is not visible', async t => {
  const { call } = await openMarket(t, { lagMs: minuteMs })
  await call('POST', '/products/v1', mug)

  const answer = await call('POST', '/products/v1', mug)

  t.equal(answer.status, 409)
  t.match(answer.json(), { failureType: 'conflict', name: 'ConflictError' })
})

t.test('inside the lag a new product is 404 for reads and for PATCH', async t => {
  const clock = createClock('2025-01-01T00:00:00Z')
  const { market, call } = await openMarket(t, { lagMs: 20 * minuteMs, now: clock.now })
  await call('POST', '/products/v1', mug)
  clock.advance(20 * minuteMs - 1)

  t.equal((await call('GET', '/products/v1')).status, 404)
  t.equal((await call('PATCH', '/products/v1', { stock: 1 })).status, 404)
  t.strictSame((await call('POST', '/products/_search', {})).json(), [])
  t.equal(market.product('v1')?.stock, 8)
  clock.advance(1)
  t.equal((await call('GET', '/products/v1')).status, 200)
})

t.test('inside the lag reads show the state before the write, for every write on its own', async t => {
  const clock = createClock('2025-01-01T00:00:00Z')
  const { market, call } = await openMarket(t, { lagMs: 20 * minuteMs, now: clock.now })
  const read = async () => JSON.parse((await call('GET', '/products/v1?fields=stock')).text).stock
  market.addProduct('v1', { stock: 1 })
  await call('PATCH', '/products/v1', { stock: 2 })
  clock.advance(10 * minuteMs)
  await call('PATCH', '/products/v1', { stock: 3 })

  t.equal(market.product('v1')?.stock, 3)
  t.equal(await read(), 1)
  clock.advance(10 * minuteMs)
  t.equal(await read(), 2)
  clock.advance(10 * minuteMs)
  t.equal(await read(), 3)
})

t.test('the lag is 20 minutes unless set, and can be switched off', async t => {
  const clock = createClock('2025-01-01T00:00:00Z')
  const { market, call } = await openMarket(t, { lagMs: undefined, now: clock.now })
  const read = async () => JSON.parse((await call('GET', '/products/v1')).text).stock
  market.addProduct('v1', { stock: 1 })
  await call('PATCH', '/products/v1', { stock: 2 })

  t.equal(await read(), 1)
  market.setLag(0)
  await call('PATCH', '/products/v1', { stock: 3 })
  t.equal(await read(), 3)
})

t.test('an update answers 202 with the names of the members it wrote', async t => {
  const clock = createClock('2025-01-01T00:00:00Z')
  const { market, call } = await openMarket(t, { now: clock.now })
  market.addProduct('v1', { stock: 8 })
  clock.advance(minuteMs)

  const answer = await call('PATCH', '/products/v1', { price: 5900, name: 'New title' })

  t.equal(answer.status, 202)
  t.strictSame(answer.json(), { updatedFields: ['price', 'name'] })
  t.match(market.product('v1'), {
    price: 5900,
    name: 'New title',
    stock: 8,
    created: '2025-01-01T00:00:00.000Z',
    updated: '2025-01-01T00:01:00.000Z'
  })
})

t.test('updating an unknown product is 404', async t => {
  const { call } = await openMarket(t)

  const answer = await call('PATCH', '/products/unknown', { stock: 1 })

  t.equal(answer.status, 404)
  t.match(answer.json(), { failureType: 'failure', name: 'NotFoundError', message: 'Product "unknown" not found' })
})

t.test('a PATCH skips a frozen member, answers 202 and leaves it out of updatedFields', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { price: 100, stock: 1 })
  market.editInPanel('v1', { price: 200 })

  const answer = await call('PATCH', '/products/v1', { price: 300, stock: 5 })

  t.equal(answer.status, 202)
  t.strictSame(answer.json(), { updatedFields: ['stock'] })
  t.match((await call('GET', '/products/v1')).json(), { price: 200, stock: 5, frozen: { price: true } })
})

t.test('overrideFrozen writes frozen members, all or the named ones', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { price: 100, stock: 1 })
  market.editInPanel('v1', { price: 200, stock: 2 })

  t.strictSame((await call('PATCH', '/products/v1', { price: 300, stock: 3, overrideFrozen: ['stock'] })).json(), {
    updatedFields: ['stock']
  })
  t.strictSame((await call('PATCH', '/products/v1', { price: 400, overrideFrozen: true })).json(), {
    updatedFields: ['price']
  })
  t.match(market.product('v1'), { price: 400, stock: 3, frozen: { price: true, stock: true } })
})

t.test('the integration can unfreeze a member', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })
  market.editInPanel('v1', { stock: 2 })
  await call('PATCH', '/products/v1', { frozen: { stock: false } })

  t.strictSame((await call('PATCH', '/products/v1', { stock: 3 })).json(), { updatedFields: ['stock'] })
})

t.test('newExternalId moves the product; reads follow after the lag', async t => {
  const clock = createClock('2025-01-01T00:00:00Z')
  const { market, call } = await openMarket(t, { lagMs: minuteMs, now: clock.now })
  market.addProduct('old', { stock: 1 })
  market.addProduct('taken')

  t.equal((await call('PATCH', '/products/old', { newExternalId: 'taken' })).status, 409)
  t.equal((await call('PATCH', '/products/old', { newExternalId: 'new' })).status, 202)
  t.equal((await call('GET', '/products/old')).status, 200)
  t.equal((await call('GET', '/products/new')).status, 404)
  clock.advance(minuteMs)
  t.equal((await call('GET', '/products/old')).status, 404)
  t.match((await call('GET', '/products/new')).json(), { externalId: 'new', stock: 1 })
})

t.test('buyableProblems follow tax rate, price and delivery', async t => {
  const { market, call } = await openMarket(t)
  const { taxRate: _taxRate, ...untaxed } = mug

  await call('POST', '/products/v1', { ...untaxed, price: 0, deliveryPriceList: 'none' })
  t.strictSame(market.product('v1')?.buyableProblems, ['missingPrice', 'missingTaxRate', 'delivery'])
  await call('PATCH', '/products/v1', { price: 100, taxRate: 'TAX_8', deliveryPriceList: '*' })
  t.strictSame(market.product('v1')?.buyableProblems, [])
})

t.test('buyableProblems follow stock, status, archive and images', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })

  await call('PATCH', '/products/v1', { stock: 0, status: 'inactive', archived: true, images: [] })
  t.strictSame(market.product('v1')?.buyableProblems, ['stock', 'active', 'archived', 'image'])
  t.equal(market.product('v1')?.archivedAt, market.product('v1')?.updated)
})

t.test('fields selects members of the answer', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { name: 'Mug', stock: 8 })

  t.strictSame((await call('GET', '/products/v1?fields=name&fields=stock')).json(), { name: 'Mug', stock: 8 })
})

t.test('keys are percent-encoded and may be 1023 characters long', async t => {
  const { market, call } = await openMarket(t)
  const key = `a/b ż?${'x'.repeat(1017)}`
  market.addProduct(key, { stock: 1 })

  t.equal((await call('PATCH', `/products/${encodeURIComponent(key)}`, { stock: 2 })).status, 202)
  t.equal(market.product(key)?.stock, 2)
  t.equal((await call('GET', `/products/${'x'.repeat(1024)}`)).status, 400)
})

t.test('a body with an unknown member, a wrong type or a missing member is 400 and says where', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1', { stock: 1 })
  const { name: _name, ...unnamed } = mug
  const surplus = 'must NOT have additional properties'
  const cases: Array<[method: string, path: string, body: unknown, member: string, message: string]> = [
    ['PATCH', '/products/v1', { stock: 2, quantity: 2 }, '/quantity', surplus],
    ['PATCH', '/products/v1', { stock: '2' }, '/stock', 'must be integer'],
    ['PATCH', '/products/v1', { stock: 1.5 }, '/stock', 'must be integer'],
    ['PATCH', '/products/v1', { price: -1 }, '/price', 'must be >= 0'],
    ['PATCH', '/products/v1', { images: [{ url: 'https://a.example', alt: 'x' }] }, '/images/0/alt', surplus],
    ['POST', '/products/v2', unnamed, '/name', "must have required property 'name'"],
    ['POST', '/products/v2', { ...mug, name: 'ab' }, '/name', 'must NOT have fewer than 3 characters'],
    ['POST', '/products/v2', { ...mug, externalId: 'v2' }, '/externalId', surplus],
    ['PATCH', '/products/batch-update', [{ stock: 1 }], '/0/externalId', "must have required property 'externalId'"]
  ]

  for (const [method, path, body, member, message] of cases) {
    const answer = await call(method, path, body)
    t.equal(answer.status, 400, member)
    t.match(answer.json(), {
      failureType: 'validation',
      name: 'ValidationFailure',
      message: 'Nieprawidłowe dane',
      payload: { details: [{ path: member, message }] }
    })
  }
  t.equal(market.product('v1')?.stock, 1)
  t.equal(market.product('v2'), undefined)
})

t.test('a body that is not JSON is 400', async t => {
  const { market } = await openMarket(t)

  const answer = await send(`${market.baseUrl}/products/v1`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer market-key', 'content-type': 'application/json' },
    body: '{"stock":'
  })

  t.equal(answer.status, 400)
  t.match(answer.json(), { failureType: 'validation', name: 'ValidationFailure' })
})

t.test('the full create body of the marketplace is accepted', async t => {
  const { call } = await openMarket(t)

  const answer = await call('POST', '/products/v1', {
    ...mug,
    description: { sections: [{ items: [{ type: 'TEXT', content: '<p>Nice mug</p>' }] }] },
    ean: '5901234123457',
    sku: null,
    status: 'active',
    deliveryPriceList: '*',
    weight: 400,
    taxRate: 'TAX_23',
    invoiceType: 'vatInvoice',
    externalCategories: [{ source: 'mkta', breadcrumb: [{ id: '257931' }] }],
    externalAttributes: [
      { source: 'mkta', id: '11323', type: 'dictionary', values: [{ id: '11323_1' }], index: 0 },
      { source: 'shop', id: 'Color', name: 'Color', type: 'string', values: ['Red'], index: 1 }
    ],
    externalVariantGroup: { id: 'hub-product-27', source: 'integration', attributes: [1] }
  })

  t.equal(answer.status, 202)
  const bareId = { id: '1', type: 'dictionary', values: ['bare id'] }
  t.equal((await call('PATCH', '/products/v1', { externalAttributes: [bareId] })).status, 400)
  t.equal((await call('PATCH', '/products/v1', { dispatchTime: { unit: 'hour', period: 25 } })).status, 400)
  t.equal((await call('PATCH', '/products/v1', { dispatchTime: { period: 25 } })).status, 202)
})

t.test('forbidden markup and a variant group of missing attributes are 400', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('v1')
  const described = (content: string) => ({ description: { sections: [{ items: [{ type: 'TEXT', content }] }] } })
  const group = { id: 'p1', source: 'integration', attributes: [1] }
  const colour = { source: 'shop', id: 'Colour', type: 'string', values: ['Red'], index: 1 }

  for (const content of ['<div>a</div>', '<p class="x">a</p>', 'a<br>b', 'a < b']) {
    t.equal((await call('PATCH', '/products/v1', described(content))).status, 400, content)
  }
  const allowed = described('<h1>a</h1><p>b <b>c</b><br/>d &lt;</p><ul><li>e</li></ul>')
  t.equal((await call('PATCH', '/products/v1', allowed)).status, 202)
  t.match((await call('POST', '/products/v2', { ...mug, ...described('<i>a</i>') })).json(), {
    payload: { details: [{ path: '/description', message: 'contains markup that is not allowed: "<i>"' }] }
  })
  t.equal((await call('PATCH', '/products/v1', { externalVariantGroup: group })).status, 400)
  const grouped = { externalAttributes: [colour], externalVariantGroup: group }
  t.equal((await call('PATCH', '/products/v1', grouped)).status, 202)
  t.equal((await call('PATCH', '/products/v1', { externalVariantGroup: group })).status, 202)
})

t.test('a creation can take place although its answer is a server error', async t => {
  const { market, call } = await openMarket(t, { lagMs: minuteMs })
  market.faults.add({ method: 'POST', path: /\/products\/v1$/, when: 'after', answer: { status: 500 } })

  t.equal((await call('POST', '/products/v1', mug)).status, 500)
  t.equal((await call('POST', '/products/v1', mug)).status, 409)
  t.equal(market.product('v1')?.stock, 8)
})

t.test('a batch answers 200 with a status for each item', async t => {
  const { market, call } = await openMarket(t)
  market.addProduct('a', { stock: 1 })
  market.addProduct('b', { price: 1 })
  market.timeOutNextBatchItem('b')
  const batch = [{ externalId: 'a', stock: 5 }, { externalId: 'b', price: 100 }, { externalId: 'c', stock: 1 }]

  const answer = await call('PATCH', '/products/batch-update', batch)

  t.equal(answer.status, 200)
  t.match(answer.json(), [
    { externalId: 'a', status: 202, result: { updatedFields: ['stock'] } },
    { externalId: 'b', status: 408, error: { name: 'BatchProcessingTimeout' } },
    { externalId: 'c', status: 404, error: { name: 'NotFoundError' } }
  ])
  t.equal(market.product('a')?.stock, 5)
  t.equal(market.product('b')?.price, 1)
  t.match((await call('PATCH', '/products/batch-update', [batch[1]])).json(), [{ externalId: 'b', status: 202 }])
})

t.test('the methods refuse keys that are taken or unknown', async t => {
  const { market } = await openMarket(t)
  market.addProduct('v1')

  t.throws(() => market.addProduct('v1'), { message: "the marketplace already has product 'v1'" })
  t.throws(() => market.editInPanel('v2', { stock: 1 }), { message: "the marketplace has no product 'v2'" })
})
