import t from 'tap'
import { draftOffer, toListingPointer, type ListedVariant } from '../../../src/offers/listing/new-offer.ts'

const [first, second] = ['https://images.example.com/1.jpg', 'https://images.example.com/2.jpg']
const inside = 'http://10.0.0.1/3.jpg'

const mug: ListedVariant = {
  variantId: 'variant-1',
  productId: 'product-1',
  hasSiblings: true,
  productName: 'Mug',
  variantName: 'Red',
  description: '<p>A mug</p>',
  productImages: [first],
  variantImages: [second],
  price: { amount: '10.00', currency: 'PLN' },
  options: [{ name: 'Colour', value: 'Red' }],
  sku: 'mug-red',
  ean: null,
  quantity: 7
}

t.test('an offer is drafted from the variant of the shop', async t => {
  t.strictSame(draftOffer(mug, {}), {
    offer: {
      externalId: 'variant-1',
      title: 'Mug Red',
      price: { amount: '10.00', currency: 'PLN' },
      quantity: 7,
      imageUrls: [second, first],
      publishImmediately: true,
      description: { sections: [{ items: [{ type: 'TEXT', content: '<p>A mug</p>' }] }] },
      sku: 'mug-red',
      ean: undefined,
      dispatchTime: undefined,
      variantGroup: { id: 'product-1', options: [{ name: 'Colour', value: 'Red' }] }
    },
    problems: []
  })
})

t.test('the values of the listing win over those of the shop', async t => {
  const overrides = { title: 'A red mug', imageUrls: [first, first] }
  const { offer } = draftOffer(mug, {
    stock: 2,
    price: { amount: '9.00', currency: 'PLN' },
    publishImmediately: false,
    overrides
  })

  t.match(offer, { title: 'A red mug', quantity: 2, price: { amount: '9.00' }, publishImmediately: false })
  t.strictSame(offer.imageUrls, [first])
})

t.test('the title says the name of the product once', async t => {
  const titleOf = (more: Partial<ListedVariant>): string => draftOffer({ ...mug, ...more }, {}).offer.title

  t.equal(titleOf({ variantName: 'Mug, red' }), 'Mug, red')
  t.equal(titleOf({ variantName: null }), 'Mug')
  t.equal(titleOf({ hasSiblings: false }), 'Mug')
  t.equal(titleOf({ productName: null }), 'Red')
})

t.test('each missing value and each wrong image is a problem with a pointer into the listing', async t => {
  const unknown = { ...mug, productName: null, variantName: null, price: null, quantity: null }
  const { offer, problems } = draftOffer(unknown, { overrides: { imageUrls: [first, inside] } })

  t.strictSame(problems.map(({ pointer, code }) => [pointer, code]), [
    ['/overrides/imageUrls/1', 'invalid'],
    ['/overrides/title', 'required'],
    ['/price', 'required'],
    ['/stock', 'required']
  ])
  t.strictSame(offer.imageUrls, [first])
})

t.test('a pointer into an offer leads to the member of the listing, or to none', async t => {
  const listing = { overrides: { imageUrls: [inside, first, first, second] } }

  t.strictSame(
    ['', '/quantity', '/price/amount', '/title', '/imageUrls/1', '/imageUrls/9', '/sku'].map(pointer =>
      toListingPointer(pointer, listing)
    ),
    ['', '/stock', '/price/amount', '/overrides/title', '/overrides/imageUrls/3', '/overrides/imageUrls', undefined]
  )
})
