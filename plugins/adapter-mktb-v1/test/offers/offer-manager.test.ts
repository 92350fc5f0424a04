import { AdapterErrorCode, type OfferPatch, type QuantityChange } from '@linker/sdk'
import t from 'tap'
import { createOfferManager } from '../../src/offers/offer-manager.ts'
import { createMarketplace, upstream } from '../marketplace.ts'

const { connect } = createMarketplace(t)

const change = (externalId: string, quantity: number): QuantityChange => ({ externalId, quantity, commandId: 'c-1' })

function offerManager () {
  const { client, context } = connect()
  return createOfferManager(client, context)
}

t.test("an update sends its members under the marketplace's names, and prices in grosze", async t => {
  const description = { sections: [{ items: [{ type: 'TEXT' as const, content: '<p>Nice mug</p>' }] }] }
  upstream().patch('/products/hub-variant-1', { price: 5900, name: 'New title', description }).reply(202, {
    updatedFields: ['price', 'description']
  })

  const result = await offerManager().updateOffer('hub-variant-1', {
    price: { amount: '59.00', currency: 'PLN' },
    title: 'New title',
    description
  })

  t.same(result, { applied: ['price', 'description'], frozen: ['title'] })
})

t.test('an update of one field leaves the others alone', async t => {
  upstream().patch('/products/hub-variant-1', { name: 'New title' }).reply(202, { updatedFields: ['name'] })

  t.same(await offerManager().updateOffer('hub-variant-1', { title: 'New title' }), { applied: ['title'], frozen: [] })
})

t.test('checkPatch and updateOffer refuse the same patches in the same words', async t => {
  const faults: [OfferPatch, string][] = [
    [{ price: { amount: '10.00', currency: 'EUR' } }, '/price/currency'],
    [{ price: { amount: '19.995', currency: 'PLN' } }, '/price/amount'],
    [{ title: 'ab' }, '/title'],
    [{ description: { sections: [{ items: [{ type: 'TEXT', content: '<img src="a.jpg">' }] }] } }, '/description']
  ]

  for (const [patch, pointer] of faults) {
    const [problem] = await offerManager().checkPatch(patch)
    t.match(problem, { pointer, code: 'invalid', message: String })
    await t.rejects(offerManager().updateOffer('hub-variant-1', patch), {
      code: AdapterErrorCode.rejected,
      message: problem?.message,
      fields: [{ pointer }]
    })
  }
  t.same(await offerManager().checkPatch({ title: 'Mug', price: { amount: '0.01', currency: 'PLN' } }), [])
})

t.test('blanks do not count towards the length of a short title', async t => {
  for (const [title, length] of [['', 0], ['     ', 0], ['\t ab \n', 2]] as const) {
    t.match(await offerManager().checkPatch({ title }), [{
      pointer: '/title',
      message: new RegExp(`\\b3 to 150\\b.*\\b${length}$`)
    }])
  }
  t.strictSame(await offerManager().checkPatch({ title: ' Mug ' }), [])
})

t.test('an offer ends in the archive; the end of an unknown offer is not found', async t => {
  upstream().patch('/products/hub-variant-1', { archived: true }).reply(202, { updatedFields: ['archived'] })
  await t.resolves(offerManager().endOffer('hub-variant-1'))

  upstream().patch('/products/hub-variant-1', { archived: true }).reply(404)
  await t.rejects(offerManager().endOffer('hub-variant-1'), { code: AdapterErrorCode.notFound })
})

t.test('an external id is one encoded segment of the path', async t => {
  upstream().patch('/products/SKU%2027%2FR%3F').reply(202)
  await t.resolves(offerManager().updateOfferQuantity(change('SKU 27/R?', 1)))

  for (const id of ['', '.', '..', '\ud800', 'x'.repeat(1_024)]) {
    await t.rejects(offerManager().updateOfferQuantity(change(id, 1)), {
      code: AdapterErrorCode.rejected,
      message: /external id/
    })
  }
})

t.test('an offer that the marketplace does not know is not found', async t => {
  upstream().patch('/products/hub-variant-1').reply(404, { message: 'Product not found' })
  await t.rejects(offerManager().updateOfferQuantity(change('hub-variant-1', 1)), {
    code: AdapterErrorCode.notFound,
    message: /Product not found/
  })

  upstream().get('/products/hub-variant-1').reply(404)
  await t.rejects(offerManager().getOffer('hub-variant-1'), { code: AdapterErrorCode.notFound })
})

t.test('an offer is read from the product', async t => {
  upstream().get('/products/hub-variant-1').reply(200, {
    externalId: 'hub-variant-1',
    marketplaceId: 987654,
    slug: 'mug-blue',
    name: 'Mug blue',
    sku: 'SKU-27-R',
    ean: '5901234123457',
    price: 10005,
    stock: 8,
    status: 'active',
    archived: false,
    frozen: { price: true, stock: false, name: true, images: true },
    buyableProblems: ['stock', 'somethingNew']
  })

  t.same(await offerManager().getOffer('hub-variant-1'), {
    externalId: 'hub-variant-1',
    reference: 'hub-variant-1',
    sku: 'SKU-27-R',
    ean: '5901234123457',
    status: 'ACTIVE',
    upstreamStatus: 'active',
    title: 'Mug blue',
    price: { amount: '100.05', currency: 'PLN' },
    quantity: 8,
    frozenFields: ['price', 'title', 'images'],
    problems: ['stock', 'somethingNew']
  })
})

t.test('an archived product has ended; any other that is not active is inactive', async t => {
  const cases = [
    [{ status: 'active', archived: true }, 'ENDED'],
    [{ status: 'inactive' }, 'INACTIVE'],
    [{ status: null }, 'INACTIVE'],
    [{}, 'INACTIVE']
  ] as const
  for (const [members, status] of cases) {
    upstream().get('/products/hub-variant-1').reply(200, { externalId: 'hub-variant-1', price: null, ...members })
    t.match(await offerManager().getOffer('hub-variant-1'), {
      status,
      frozenFields: { length: 0 },
      problems: { length: 0 }
    })
  }
})

t.test('a product in another form is a transient error', async t => {
  for (const body of [{}, [], { externalId: 'x', price: '100' }, { externalId: 'x', frozen: ['price'] }]) {
    upstream().get('/products/hub-variant-1').reply(200, body)
    await t.rejects(offerManager().getOffer('hub-variant-1'), {
      code: AdapterErrorCode.transient,
      message: /unknown form/
    })
  }
})
