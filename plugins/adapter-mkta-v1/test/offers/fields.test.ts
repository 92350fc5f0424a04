import { AdapterErrorCode, type OfferPatch } from '@linker/sdk'
import t from 'tap'
import { createMarketplace as createCapability } from '../../src/marketplace.ts'
import { createMarketplace, restWrite } from '../marketplace.ts'
import { upstreamOffer } from './upstream-offer.ts'

const { connect } = createMarketplace(t)
const { rejected } = AdapterErrorCode
const path = '/sale/product-offers/7680001234'

function open () {
  const { client, context } = connect()
  return createCapability(client, context)
}

/** A description of about so many bytes. */
function described (bytes: number): OfferPatch {
  return { description: { sections: [{ items: [{ type: 'TEXT', content: `<p>${'x'.repeat(bytes)}</p>` }] }] } }
}

t.test('a patch sends only its own members, with the description in the allowed elements', async t => {
  restWrite().patch(path, {
    name: 'Mug blue 300 ml',
    sellingMode: { price: { amount: '59.00', currency: 'PLN' } },
    description: { sections: [{ items: [{ type: 'TEXT', content: '<p>Nice <b>mug</b></p>' }] }] }
  }).reply(200, upstreamOffer()).patch(path, { name: 'Cup green 300 ml' }).reply(200, upstreamOffer())

  const patch: OfferPatch = {
    title: 'Mug blue 300 ml',
    price: { amount: '59.0000', currency: 'PLN' },
    description: {
      sections: [{ items: [{ type: 'TEXT', content: '<div style="x">Nice <strong>mug</strong></div>' }] }]
    }
  }
  t.same(await open().updateOffer('7680001234', patch), { applied: ['title', 'price', 'description'], frozen: [] })
  t.same(await open().updateOffer('7680001234', { title: ' Cup green 300 ml ' }), { applied: ['title'], frozen: [] })
})

t.test('checkPatch and updateOffer refuse the same patches in the same words', async t => {
  const faults: [OfferPatch, string][] = [
    [{ title: `a b ${'x'.repeat(72)}` }, '/title'],
    [{ title: 'Mug blue s1' }, '/title'],
    [{ title: 'Mug blue-300-ml' }, '/title'],
    [described(40_000), '/description'],
    [{ title: ' ' }, '/title'],
    [{ price: { amount: '19.995', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '0.00', currency: 'PLN' } }, '/price/amount'],
    [{ price: { amount: '-1', currency: 'PLN' } }, '/price/amount'],
    [{ description: { sections: [{ items: [{ type: 'TEXT', content: '<img src="a.jpg">' }] }] } }, '/description']
  ]

  for (const [patch, pointer] of faults) {
    const [problem] = await open().checkPatch(patch)
    t.match(problem, { pointer, message: String })
    await t.rejects(open().updateOffer('7680001234', patch), {
      code: rejected,
      message: problem?.message,
      fields: [{ pointer }]
    })
  }
  t.same(await open().checkPatch({ title: `a b ${'x'.repeat(71)}`, price: { amount: '0.01', currency: 'CZK' } }), [])
  t.same(await open().checkPatch({ title: 'Mug blue 1 l' }), [])
  t.same(await open().checkPatch(described(39_900)), [])
})

t.test('a title that breaks two rules says both', async t => {
  t.match(await open().checkPatch({ title: 'Mug' }), [
    { pointer: '/title', message: 'a title has 12 to 75 characters on the marketplace, this one has 3' },
    { pointer: '/title', message: 'a title has at least 3 words on the marketplace, this one has 1' }
  ])
})
