import { AdapterErrorCode, type NewOffer } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../src/config.ts'
import { createOfferManager } from '../src/offers.ts'
import { createMarketplace, upstream } from './marketplace.ts'

const { connect, logs } = createMarketplace(t)

function offerManager (config?: Config) {
  const { client, context } = connect(config)
  return createOfferManager(client, context)
}

const dispatching: Config = { defaultDispatchTime: { unit: 'day', period: 2 } }
const newOffer: NewOffer = {
  externalId: 'hub-variant-1', title: 'Mug blue 300 ml', price: { amount: '100.00', currency: 'PLN' }, quantity: 8,
  imageUrls: ['https://cdn.test/mug.jpg'], publishImmediately: true
}

t.test('a stock update sends the stock and nothing else', async t => {
  upstream().patch('/products/hub-variant-1', body => JSON.stringify(body) === '{"stock":7}').reply(202, { updatedFields: ['stock'] })

  t.same(await offerManager().updateStock('hub-variant-1', 7), { applied: ['stock'], frozen: [] })
})

t.test('backorders are sent as sold out', async t => {
  upstream().patch('/products/hub-variant-1', { stock: 0 }).reply(202, { updatedFields: ['stock'] })

  t.same(await offerManager().updateStock('hub-variant-1', -3), { applied: ['stock'], frozen: [] })
})

t.test('what is no quantity is refused before anything is sent', async t => {
  for (const quantity of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, 2 ** 53, 2_000_000_001]) {
    await t.rejects(offerManager().updateStock('hub-variant-1', quantity), { code: AdapterErrorCode.rejected, message: /quantity/ })
  }
})

t.test('an accepted write without a body counts as applied', async t => {
  for (const body of ['', {}, []]) {
    upstream().patch('/products/hub-variant-1', { stock: 7 }).reply(202, body)
    t.same(await offerManager().updateStock('hub-variant-1', 7), { applied: ['stock'], frozen: [] })
  }
})

t.test('a frozen stock is reported, with a warning that the offer may be oversold', async t => {
  upstream().patch('/products/hub-variant-1', { stock: 0 }).reply(202, { updatedFields: [] })

  t.same(await offerManager().updateStock('hub-variant-1', 0), { applied: [], frozen: ['stock'] })
  t.match(logs, [{ level: 'warn', fields: { externalId: 'hub-variant-1', quantity: 0 }, message: /froze/ }])
})

t.test('an update sends the members present under the marketplace\'s names, prices in grosze', async t => {
  const description = { sections: [{ items: [{ type: 'TEXT' as const, content: '<p>Nice mug</p>' }] }] }
  upstream().patch('/products/hub-variant-1', { price: 5900, name: 'New title', description }).reply(202, { updatedFields: ['price', 'description'] })

  const result = await offerManager().updateOffer('hub-variant-1', { price: { amount: '59.00', currency: 'PLN' }, title: 'New title', description })

  t.same(result, { applied: ['price', 'description'], frozen: ['title'] })
})

t.test('an update of one field leaves the others alone', async t => {
  upstream().patch('/products/hub-variant-1', { name: 'New title' }).reply(202, { updatedFields: ['name'] })

  t.same(await offerManager().updateOffer('hub-variant-1', { title: 'New title' }), { applied: ['title'], frozen: [] })
})

t.test('an external id is one encoded segment of the path', async t => {
  upstream().patch('/products/SKU%2027%2FR%3F').reply(202)
  await t.resolves(offerManager().updateStock('SKU 27/R?', 1))

  for (const id of ['', '.', '..', '\ud800', 'x'.repeat(1_024)]) {
    await t.rejects(offerManager().updateStock(id, 1), { code: AdapterErrorCode.rejected, message: /external id/ })
  }
})

t.test('an offer that the marketplace does not know is not found', async t => {
  upstream().patch('/products/hub-variant-1').reply(404, { message: 'Product not found' })
  await t.rejects(offerManager().updateStock('hub-variant-1', 1), { code: AdapterErrorCode.notFound, message: /Product not found/ })

  upstream().get('/products/hub-variant-1').reply(404)
  await t.rejects(offerManager().getOffer('hub-variant-1'), { code: AdapterErrorCode.notFound })
})

t.test('a stock write is sent again after a passing fault: it is absolute', async t => {
  upstream().patch('/products/hub-variant-1', { stock: 7 }).reply(503).patch('/products/hub-variant-1', { stock: 7 }).reply(202)

  t.same(await offerManager().updateStock('hub-variant-1', 7), { applied: ['stock'], frozen: [] })
})

t.test('a new offer is created with exactly the members that the marketplace knows', async t => {
  const description = { sections: [{ items: [{ type: 'TEXT' as const, content: '<p>Nice mug</p>' }] }] }
  upstream().post('/products/hub-variant-1', {
    name: 'Mug blue 300 ml', images: [{ url: 'https://cdn.test/mug.jpg' }], price: 10000, stock: 8, dispatchTime: { unit: 'day', period: 2 },
    status: 'active', description, ean: '5901234123457', sku: 'SKU-27-R'
  }).reply(202)

  await t.resolves(offerManager(dispatching).createOffer({ ...newOffer, description, ean: '5901234123457', sku: 'SKU-27-R' }))
})

t.test('an offer that is not to be published yet is created inactive', async t => {
  upstream().post('/products/hub-variant-1', body => body.status === 'inactive').reply(202)

  await t.resolves(offerManager(dispatching).createOffer({ ...newOffer, publishImmediately: false }))
})

t.test('an offer that exists already is created: an earlier attempt arrived', async t => {
  upstream().post('/products/hub-variant-1').reply(409, { failureType: 'conflict', message: 'Product already exists' })

  await t.resolves(offerManager(dispatching).createOffer(newOffer))
})

t.test('a creation whose answer was lost is repeated under the same key', async t => {
  upstream().post('/products/hub-variant-1').reply(502).post('/products/hub-variant-1').reply(409)

  await t.resolves(offerManager(dispatching).createOffer(newOffer))
})

t.test('a page in the place of an answer does not say that an offer was created', async t => {
  upstream().post('/products/hub-variant-1').reply(200, '<!doctype html><title>Maintenance</title>', { 'content-type': 'text/html' })

  await t.rejects(offerManager(dispatching).createOffer(newOffer), { code: AdapterErrorCode.transient, message: /no JSON/ })
})

t.test('images that the marketplace could not download are dropped, and without any other the offer is refused', async t => {
  const unreachable = [
    'http://cdn.test/a.jpg', 'ftp://cdn.test/a.jpg', 'a.jpg', '', 'https://localhost/a.jpg', 'https://127.0.0.1/a.jpg', 'https://2130706433/a.jpg', 'https://[::1]/a.jpg',
    'https://10.0.0.5/a.jpg', 'https://shop/a.jpg', 'https://shop.local/a.jpg', `https://cdn.test/${'a'.repeat(2_000)}.jpg`
  ]
  upstream().post('/products/hub-variant-1', body => JSON.stringify(body.images) === '[{"url":"https://cdn.test/mug.jpg"}]').reply(202)
  await t.resolves(offerManager(dispatching).createOffer({ ...newOffer, imageUrls: [...unreachable, ...newOffer.imageUrls] }))

  for (const url of unreachable) {
    await t.rejects(offerManager(dispatching).createOffer({ ...newOffer, imageUrls: [url] }), { code: AdapterErrorCode.rejected, message: 'overrides.imageUrls must be an array of valid URLs' }, url)
  }
})

t.test('without a handling time no offer is created, and the setting is named', async t => {
  await t.rejects(offerManager().createOffer(newOffer), { code: AdapterErrorCode.configuration, message: /defaultDispatchTime/ })
})

t.test('what the marketplace would refuse is refused with the field at fault', async t => {
  const faults: [Partial<NewOffer>, string][] = [
    [{ price: { amount: '10.00', currency: 'EUR' } }, '/price/currency'],
    [{ price: { amount: '10.001', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '-0.01', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '21474836.48', currency: 'PLN' } }, '/price/amount'],
    [{ title: 'ab' }, '/title'],
    [{ title: 'a'.repeat(151) }, '/title']
  ]

  for (const [fault, pointer] of faults) {
    const error: unknown = await offerManager(dispatching).createOffer({ ...newOffer, ...fault }).catch((reason: unknown) => reason)
    t.match(error, { code: AdapterErrorCode.rejected, fields: [{ pointer }] }, pointer)
  }
})

t.test('an offer is read from the product', async t => {
  upstream().get('/products/hub-variant-1').reply(200, {
    externalId: 'hub-variant-1', marketplaceId: 987654, slug: 'mug-blue', name: 'Mug blue', price: 10005, stock: 8, status: 'active', archived: false,
    frozen: { price: true, stock: false, name: true, images: true }, buyableProblems: ['stock', 'somethingNew']
  })

  t.same(await offerManager().getOffer('hub-variant-1'), {
    externalId: 'hub-variant-1', status: 'ACTIVE', upstreamStatus: 'active', title: 'Mug blue', price: { amount: '100.05', currency: 'PLN' }, quantity: 8,
    frozenFields: ['price', 'title', 'images'], problems: ['stock', 'somethingNew']
  })
})

t.test('an archived product has ended, any other that is not active is inactive', async t => {
  for (const [members, status] of [[{ status: 'active', archived: true }, 'ENDED'], [{ status: 'inactive' }, 'INACTIVE'], [{ status: null }, 'INACTIVE'], [{}, 'INACTIVE']] as const) {
    upstream().get('/products/hub-variant-1').reply(200, { externalId: 'hub-variant-1', price: null, ...members })
    t.match(await offerManager().getOffer('hub-variant-1'), { status, frozenFields: [], problems: [] })
  }
})

t.test('a product in another form is no offer', async t => {
  for (const body of [{}, [], { externalId: 'x', price: '100' }, { externalId: 'x', frozen: ['price'] }]) {
    upstream().get('/products/hub-variant-1').reply(200, body)
    await t.rejects(offerManager().getOffer('hub-variant-1'), { code: AdapterErrorCode.transient, message: /unknown form/ })
  }
})
