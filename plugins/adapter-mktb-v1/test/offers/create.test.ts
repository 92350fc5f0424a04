import { AdapterErrorCode, type NewOffer } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../src/config.ts'
import { createOfferManager } from '../../src/offers/offer-manager.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect, clock } = createMarketplace(t)

const dispatching: Partial<Config> = { defaultDispatchTime: { unit: 'day', period: 2 } }
const newOffer: NewOffer = {
  externalId: 'hub-variant-1',
  title: 'Mug blue 300 ml',
  price: { amount: '100.00', currency: 'PLN' },
  taxRate: '23',
  quantity: 8,
  imageUrls: ['https://cdn.test/mug.jpg'],
  publishImmediately: true
}

function offerManager (config: Partial<Config> = dispatching) {
  const { client, context } = connect(config)
  return createOfferManager(client, context)
}

t.test('a new offer is created with exactly the members that the marketplace knows', async t => {
  const description = { sections: [{ items: [{ type: 'TEXT' as const, content: '<p>Nice mug</p>' }] }] }
  upstream().post('/products/hub-variant-1', {
    name: 'Mug blue 300 ml',
    images: [{ url: 'https://cdn.test/mug.jpg' }],
    price: 10000,
    stock: 8,
    dispatchTime: { unit: 'day', period: 2 },
    taxRate: 'TAX_23',
    status: 'active',
    description,
    ean: '5901234123457',
    sku: 'SKU-27-R'
  }).reply(202)

  await t.resolves(offerManager().createOffer({ ...newOffer, description, ean: '5901234123457', sku: 'SKU-27-R' }))
})

t.test('an offer that is not published yet is created inactive', async t => {
  upstream().post('/products/hub-variant-1', body => body.status === 'inactive').reply(202)

  await t.resolves(offerManager().createOffer({ ...newOffer, publishImmediately: false }))
})

t.test('the handling time of the offer overrides that of the connection', async t => {
  upstream().post('/products/hub-variant-1', body => body.dispatchTime.period === 5).reply(202)

  await t.resolves(offerManager().createOffer({ ...newOffer, dispatchTime: { unit: 'day', period: 5 } }))
})

t.test("an offer gets the shop's tax rate, else that of the connection, which also says why there is none", async t => {
  const cases: Array<[ofShop: string | undefined, ofConfig: Config['defaultTaxRate'], sent: string]> = [
    ['23', undefined, 'TAX_23'],
    ['8.000', 'TAX_23', 'TAX_8'],
    ['0', undefined, 'TAX_0'],
    ['0', 'TAX_23', 'TAX_0'],
    ['0', 'TAX_ZW', 'TAX_ZW'],
    [undefined, 'TAX_NP', 'TAX_NP']
  ]
  for (const [taxRate, defaultTaxRate, sent] of cases) {
    upstream().post('/products/hub-variant-1', body => body.taxRate === sent).reply(202)
    await t.resolves(offerManager({ ...dispatching, defaultTaxRate }).createOffer({ ...newOffer, taxRate }), sent)
  }
})

t.test('an offer without a tax rate, or with one that the marketplace does not know, is not made', async t => {
  const pointer = '/taxRate'

  for (const [taxRate, code] of [[undefined, 'required'], ['22', 'invalid'], ['5.5', 'invalid']]) {
    const offer = { ...newOffer, taxRate }
    await t.rejects(offerManager().createOffer(offer), { code: AdapterErrorCode.rejected, fields: [{ pointer, code }] })
    t.match(await offerManager().checkNewOffers([offer]), [[{ pointer, code }]])
  }
})

t.test('an unknown tax rate is not blamed on the shop: the hub may not have read the product again yet', async t => {
  const { taxRate: _taxRate, ...untaxed } = newOffer
  const [[problem] = []] = await offerManager().checkNewOffers([untaxed])

  t.match(problem?.message, /the hub does not know the tax rate of the shop \(yet\).*product\.saved.*defaultTaxRate/)
})

t.test('variants of one product are grouped by their options', async t => {
  const options = [{ name: 'Colour', value: 'red' }, { name: 'Size', value: 'M' }]
  const externalAttributes = [
    { source: 'shop', id: 'Colour', name: 'Colour', type: 'string', values: ['red'], index: 0 },
    { source: 'shop', id: 'Size', name: 'Size', type: 'string', values: ['M'], index: 1 }
  ]
  const externalVariantGroup = { id: 'hub-product-27', source: 'integration', attributes: [0, 1] }
  const expected = JSON.stringify([externalAttributes, externalVariantGroup])
  const isGrouped = (body: Record<string, unknown>): boolean =>
    JSON.stringify([body.externalAttributes, body.externalVariantGroup]) === expected
  upstream().post('/products/hub-variant-1', isGrouped).reply(202)

  await t.resolves(offerManager().createOffer({ ...newOffer, variantGroup: { id: 'hub-product-27', options } }))
})

t.test('a description is sent in the allowed elements, and left out when it has no text', async t => {
  const described = (content: string): NewOffer => ({
    ...newOffer,
    description: { sections: [{ items: [{ type: 'TEXT', content }] }] }
  })
  const allowed = '<p>Nice <b>mug</b></p>'
  upstream()
    .post('/products/hub-variant-1', body => body.description.sections[0].items[0].content === allowed)
    .reply(202)
  const html = '<div class="x">Nice <strong>mug</strong><script>track()</script></div>'
  await t.resolves(offerManager().createOffer(described(html)))

  upstream().post('/products/hub-variant-1', body => !('description' in body)).reply(202)
  await t.resolves(offerManager().createOffer(described('<img src="a.jpg">')))
})

t.test('an existing offer is set to the wanted values and taken out of the archive', async t => {
  const body = {
    name: 'Mug blue 300 ml',
    images: [{ url: 'https://cdn.test/mug.jpg' }],
    price: 10000,
    stock: 8,
    dispatchTime: { unit: 'day', period: 2 },
    taxRate: 'TAX_23',
    status: 'active'
  }
  upstream().post('/products/hub-variant-1', body).reply(409, { failureType: 'conflict' })
    .patch('/products/hub-variant-1', { ...body, archived: false }).reply(202)

  await t.resolves(offerManager().createOffer(newOffer))
})

t.test('a creation with a lost answer succeeds while the marketplace does not show the offer', async t => {
  const offer = { ...newOffer, externalId: 'lost-answer' }
  upstream().post('/products/lost-answer').reply(502).post('/products/lost-answer').reply(409)
    .patch('/products/lost-answer').reply(404)
  await t.resolves(offerManager().createOffer(offer))

  upstream().post('/products/lost-answer').reply(409).patch('/products/lost-answer').reply(404)
  await t.resolves(offerManager().createOffer(offer), 'the next run of the job succeeds as well')
})

t.test('values that differ from the first attempt wait for the offer without losing attempts', async t => {
  const offer = { ...newOffer, externalId: 'other-values' }
  upstream().post('/products/other-values').reply(500)
  await t.rejects(offerManager().createOffer(offer), { code: AdapterErrorCode.transient })
  const cheaper = { ...offer, price: { amount: '9.00', currency: 'PLN' } }

  for (let minutes = 0; minutes < 40; minutes += 10) {
    upstream().post('/products/other-values').reply(409).patch('/products/other-values').reply(404)
    await t.rejects(offerManager().createOffer(cheaper), {
      code: AdapterErrorCode.rateLimited,
      retryAfterMs: 120_000,
      message: /other values/
    }, `after ${minutes} minutes`)
    clock.advance(10 * 60_000)
  }
  upstream().post('/products/other-values').reply(409).patch('/products/other-values', body => body.price === 900)
    .reply(202)
  await t.resolves(offerManager().createOffer(cheaper))
})

t.test('an offer that blocks another one for too long without being shown is a transient error', async t => {
  const offer = { ...newOffer, externalId: 'never-shown' }
  const conflict = () => upstream().post('/products/never-shown').reply(409).patch('/products/never-shown').reply(404)
  upstream().post('/products/never-shown').reply(400)
  await t.rejects(offerManager().createOffer(offer), { code: AdapterErrorCode.rejected })
  clock.advance(60 * 60_000)

  conflict()
  await t.rejects(offerManager().createOffer({ ...offer, quantity: 7 }), { code: AdapterErrorCode.rateLimited })
  for (let attempt = 0; attempt < 2; attempt++) {
    clock.advance(40 * 60_000)
    conflict()
    await t.rejects(offerManager().createOffer({ ...offer, quantity: 7 }), {
      code: AdapterErrorCode.transient,
      message: /other values/
    })
  }
})

t.test('the page of a proxy does not prove that an offer was created', async t => {
  upstream().post('/products/hub-variant-1').reply(200, '<!doctype html><title>Maintenance</title>', {
    'content-type': 'text/html'
  })

  await t.rejects(offerManager().createOffer(newOffer), { code: AdapterErrorCode.transient, message: /not JSON/ })
})

t.test('images that the marketplace cannot download are dropped; an offer without others is refused', async t => {
  const unreachable = [
    'http://cdn.test/a.jpg',
    'ftp://cdn.test/a.jpg',
    'a.jpg',
    '',
    'https://localhost/a.jpg',
    'https://127.0.0.1/a.jpg',
    'https://2130706433/a.jpg',
    'https://[::1]/a.jpg',
    'https://10.0.0.5/a.jpg',
    'https://shop/a.jpg',
    'https://shop.local/a.jpg',
    `https://cdn.test/${'a'.repeat(2_000)}.jpg`
  ]
  const images = JSON.stringify([{ url: 'https://cdn.test/mug.jpg' }])
  upstream().post('/products/hub-variant-1', body => JSON.stringify(body.images) === images).reply(202)
  await t.resolves(offerManager().createOffer({ ...newOffer, imageUrls: [...unreachable, ...newOffer.imageUrls] }))

  for (const url of unreachable) {
    await t.rejects(offerManager().createOffer({ ...newOffer, imageUrls: [url] }), {
      code: AdapterErrorCode.rejected,
      message: 'overrides.imageUrls must be an array of valid URLs'
    }, url)
  }
})

t.test('checkNewOffers and createOffer refuse the same offers in the same words, before any request', async t => {
  const faults: [Partial<NewOffer>, string][] = [
    [{ imageUrls: [] }, '/imageUrls'],
    [{ externalId: '..' }, '/externalId'],
    [{ price: { amount: '10.00', currency: 'EUR' } }, '/price/currency'],
    [{ price: { amount: '10.001', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '-0.01', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '21474836.48', currency: 'PLN' } }, '/price/amount'],
    [{ title: 'ab' }, '/title'],
    [{ title: '    ' }, '/title'],
    [{ title: 'a'.repeat(151) }, '/title'],
    [{ quantity: 2_000_000_001 }, '/quantity'],
    [{ dispatchTime: { unit: 'hour', period: 25 } }, '/dispatchTime'],
    [{ description: { sections: [{ items: [{ type: 'TEXT', content: 'a'.repeat(80_000) }] }] } }, '/description'],
    [{ sku: 'a'.repeat(201) }, '/sku'],
    [
      { variantGroup: { id: '27', options: [{ name: 'Colour', value: 'a'.repeat(2_001) }] } },
      '/variantGroup/options/0/value'
    ]
  ]
  const offers = faults.map(([fault]) => ({ ...newOffer, ...fault }))

  const found = await offerManager().checkNewOffers(offers)

  t.same(found.map(problems => problems.map(({ pointer }) => pointer)), faults.map(([, pointer]) => [pointer]))
  for (const [index, offer] of offers.entries()) {
    const error: unknown = await offerManager().createOffer(offer).catch((reason: unknown) => reason)
    t.match(error, { code: AdapterErrorCode.rejected, message: found[index]?.[0]?.message, fields: found[index] })
  }
})

t.test('all faults are reported at once', async t => {
  const faulty = { ...newOffer, imageUrls: ['http://cdn.test/a.jpg'], title: 'ab' }
  const [found = []] = await offerManager({}).checkNewOffers([faulty])

  t.match(found, [
    { pointer: '/imageUrls', code: 'invalid', message: 'overrides.imageUrls must be an array of valid URLs' },
    { pointer: '/title' },
    { pointer: '/dispatchTime', code: 'required', message: /config\.defaultDispatchTime/ }
  ])
  t.same(await offerManager().checkNewOffers([newOffer]), [[]])
})
