import t from 'tap'
import { draftOffer, toListingPointer, type ListedVariant } from '../../../src/offers/listing/new-offer.ts'
import type { Listing } from '../../../src/offers/listing/schemas.ts'

const variant: ListedVariant = {
  variantId: 'v',
  productId: 'p',
  hasSiblings: true,
  productName: 'Mug',
  variantName: 'red',
  description: '<p>A mug</p>',
  productImages: ['https://shop.test/all.jpg', 'https://shop.test/red.jpg'],
  variantImages: ['https://shop.test/red.jpg'],
  price: { amount: '10.00', currency: 'PLN' },
  taxRate: '23',
  options: [{ name: 'Colour', value: 'red' }],
  sku: 'MUG-RED',
  ean: '5901234123457',
  isOnSale: true,
  quantity: 5
}
const image = (name: string) => `https://shop.test/${name}.jpg`
const draft = (more: Partial<ListedVariant>, listing: Listing = {}) => draftOffer({ ...variant, ...more }, listing)

t.test('an offer is made of what the shop says of the variant and its product', async t => {
  t.strictSame(draft({}), {
    offer: {
      externalId: 'v',
      title: 'Mug red',
      price: { amount: '10.00', currency: 'PLN' },
      taxRate: '23',
      quantity: 5,
      imageUrls: [image('red'), image('all')],
      publishImmediately: true,
      description: { sections: [{ items: [{ type: 'TEXT', content: '<p>A mug</p>' }] }] },
      sku: 'MUG-RED',
      ean: '5901234123457',
      dispatchTime: undefined,
      variantGroup: { id: 'p', options: [{ name: 'Colour', value: 'red' }] }
    },
    problems: []
  })
})

t.test('the values of the request win over those of the shop', async t => {
  const listing = {
    stock: 0,
    price: { amount: '12.00', currency: 'EUR' },
    publishImmediately: false,
    overrides: {
      title: 'Cup',
      description: { sections: [] },
      imageUrls: [image('cup'), image('cup')],
      dispatchTime: { unit: 'day' as const, period: 2 }
    }
  }
  const { offer, problems } = draft({ quantity: null, price: null }, listing)

  t.match(offer, {
    title: 'Cup',
    price: listing.price,
    quantity: 0,
    publishImmediately: false,
    description: listing.overrides.description,
    dispatchTime: listing.overrides.dispatchTime
  })
  t.strictSame(offer.imageUrls, [image('cup')])
  t.strictSame(draft({}, { overrides: { imageUrls: [] } }).offer.imageUrls, [], 'no image at all')
  t.strictSame(problems, [])
})

t.test('the title names the product and the variant once', async t => {
  const titles: [Partial<ListedVariant>, string][] = [
    [{ hasSiblings: false }, 'Mug'],
    [{ variantName: 'Mug, red' }, 'Mug, red'],
    [{ variantName: null }, 'Mug'],
    [{ variantName: '' }, 'Mug'],
    [{ productName: null }, 'red'],
    [{ productName: '' }, 'red']
  ]
  for (const [given, title] of titles) t.equal(draft(given).offer.title, title, JSON.stringify(given))
})

t.test('a variant without siblings or without options belongs to no group', async t => {
  for (const given of [{ hasSiblings: false }, { options: [] }]) {
    t.equal(draft(given).offer.variantGroup, undefined)
  }
})

t.test('empty texts of the shop are left out', async t => {
  const { offer: { description, sku, ean } } = draft({ description: ' \n', sku: null, ean: null })
  t.strictSame([description, sku, ean], [undefined, undefined, undefined])
})

t.test('an empty name is no title', async t => {
  for (const variantName of [null, '']) {
    const { offer, problems } = draft({ productName: '', variantName })
    t.strictSame([offer.title, problems.map(({ pointer }) => pointer)], ['v', ['/overrides/title']])
  }
})

t.test('a stand-in takes the place of each missing member, and a problem names it', async t => {
  const { offer, problems } = draft({ productName: null, variantName: null, price: null, quantity: null })

  t.match(offer, { title: 'v', price: { amount: '1.00' }, quantity: 0 })
  t.strictSame(problems.map(({ pointer, code }) => [pointer, code]), [
    ['/overrides/title', 'required'],
    ['/price', 'required'],
    ['/stock', 'required']
  ])
})

t.test('an image that a platform cannot download is refused at its place, and the others are kept', async t => {
  const imageUrls = [image('a'), 'http://shop.test/b.jpg', image('c'), 'https://localhost/d.jpg']
  const { offer, problems } = draft({}, { overrides: { imageUrls } })

  t.strictSame(offer.imageUrls, [image('a'), image('c')])
  t.strictSame(problems.map(({ pointer }) => pointer), ['/overrides/imageUrls/1', '/overrides/imageUrls/3'])
})

t.test('a pointer into the offer leads to the member of the request', async t => {
  const pointers = {
    '': '',
    '/quantity': '/stock',
    '/price/amount': '/price/amount',
    '/publishImmediately': '/publishImmediately',
    '/title': '/overrides/title',
    '/description/sections/0': '/overrides/description/sections/0',
    '/dispatchTime/period': '/overrides/dispatchTime/period',
    '/sku': undefined,
    '/variantGroup/options': undefined
  }
  for (const [pointer, expected] of Object.entries(pointers)) t.equal(toListingPointer(pointer, {}), expected, pointer)
})

t.test('a pointer to an image leads to its place in the request, which may name images twice', async t => {
  const imageUrls = ['not an address', image('a'), image('a'), image('b')]
  const locate = (pointer: string) => toListingPointer(pointer, { overrides: { imageUrls } })

  t.equal(locate('/imageUrls/0'), '/overrides/imageUrls/1')
  t.equal(locate('/imageUrls/1'), '/overrides/imageUrls/3')
  t.equal(locate('/imageUrls/2'), '/overrides/imageUrls')
  t.equal(locate('/imageUrls'), '/overrides/imageUrls')
  t.equal(toListingPointer('/imageUrls/0', {}), '/overrides/imageUrls', 'the images are those of the shop')
})
