import type { FieldError, NewOffer } from '@linker/sdk'
import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { prepareOffers, type Wanted } from '../../../src/offers/listing/prepare.ts'
import type { Listing } from '../../../src/offers/listing/schemas.ts'
import { openedConnection } from '../../connections/support.ts'

const known = {
  productId: 'p',
  hasSiblings: false,
  productName: 'Mug',
  variantName: null,
  description: null,
  productImages: [],
  variantImages: [],
  price: { amount: '10.00', currency: 'PLN' },
  options: [],
  sku: 'MUG',
  ean: null,
  stock: 5,
  reserved: 0,
  isSellable: true
}
const problem = (pointer: string, message = 'no'): FieldError => ({ pointer, code: 'invalid', message })

function wanted (variantId: string, listing: Listing = {}, at = ''): Wanted {
  return { variantId, listing, subject: `${at}/variantId`, locate: pointer => `${at}${pointer}` }
}

interface Catalog {
  /** What the catalog knows of each variant, beside the values above. */
  variants: Readonly<Record<string, object>>
  /** The problems that the adapter finds, by variant. */
  found?: Readonly<Record<string, readonly FieldError[]>>
}

/** Prepares offers of variants. `asked`: the offers of each check by the adapter. */
function prepare ({ variants, found = {} }: Catalog, items: readonly Wanted[]) {
  const rows = Object.entries(variants).map(([variantId, more]) => ({ variantId, ...known, ...more }))
  const query: Query = async <Row extends object>() => rows as object[] as Row[]
  const asked: string[][] = []
  const checks = {
    async ofNew (_opened: unknown, offers: readonly NewOffer[]) {
      asked.push(offers.map(({ externalId }) => externalId))
      return offers.map(({ externalId }) => [...found[externalId] ?? []])
    },
    ofPatch: async () => []
  }
  const request = { operationId: 'operation', requestId: 'request' }
  return { prepared: prepareOffers({ query, checks }, openedConnection(), items, request), asked }
}

/** The pointers and messages of a refusal. */
async function problemsOf (work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(() => undefined, (refusal: unknown) => refusal as { errors: FieldError[] })
  return (error?.errors ?? []).map(({ pointer, message }) => `${pointer}: ${message}`)
}

t.test('the job reads the stock itself, unless the request names the first quantity', async t => {
  const { prepared } = prepare({ variants: { a: {}, b: {} } }, [wanted('a'), wanted('b', { stock: 3 })])
  const [first, second] = await prepared

  t.match(first, { variantId: 'a', key: 'api:offer-create:operation:a', offer: { externalId: 'a', quantity: 5 } })
  t.equal(first?.payload.quantity, undefined)
  t.equal(second?.payload.quantity, 3)
  for (const member of ['externalId', 'quantity']) t.notOk(member in (first?.payload.offer ?? {}), member)
  t.match(first?.payload.offer, { title: 'Mug', price: known.price })
})

t.test('unknown variants are refused together with the problems of the others', async t => {
  const { prepared, asked } = prepare(
    { variants: { a: {}, b: {} }, found: { b: [problem('/title', 'too short')] } },
    [wanted('x', {}, '/items/0'), wanted('a', {}, '/items/1'), wanted('b', {}, '/items/2')]
  )

  t.strictSame(await problemsOf(prepared), [
    "/items/0/variantId: the catalog has no variant 'x'",
    '/items/2/overrides/title: too short'
  ])
  t.strictSame(asked, [['a', 'b']])
})

t.test('the adapter is not asked when every variant is unknown', async t => {
  const { prepared, asked } = prepare({ variants: {} }, [wanted('x')])

  await t.rejects(prepared, { code: 'LNK_OFFER_INVALID' })
  t.strictSame(asked, [])
})

t.test('a problem of a value that the request does not name points to the variant', async t => {
  const { prepared } = prepare({ variants: { a: {} }, found: { a: [problem('/sku', 'too long')] } }, [wanted('a')])

  t.strictSame(await problemsOf(prepared), ['/variantId: sku: too long'])
})

t.test('what the adapter says of a stand-in does not count, what it says of the rest does', async t => {
  const { prepared } = prepare({
    variants: { a: { price: null } },
    found: { a: [problem('/price'), problem('/price/amount'), problem('/quantity'), problem('', 'not now')] }
  }, [wanted('a')])

  t.strictSame(await problemsOf(prepared), [
    '/price: is required: the shop gave no price for the variant',
    '/stock: no',
    ': not now'
  ])
})

t.test('a quantity for a variant that the shop has switched off is refused, zero and none are not', async t => {
  const variants = { off: { isSellable: false } }
  const listed = async (listing: Listing) => (await prepare({ variants }, [wanted('off', listing)]).prepared)[0]

  t.strictSame(await problemsOf(prepare({ variants }, [wanted('off', { stock: 5 }, '/items/0')]).prepared), [
    '/items/0/stock: the variant is switched off in the shop: choose 0, or leave the quantity out'
  ])
  t.match(await listed({ stock: 0 }), { payload: { quantity: 0 } })
  t.match(await listed({}), { offer: { quantity: 0 }, payload: { quantity: undefined } })
})

t.test('an image beside a refused one is still checked by the adapter', async t => {
  const imageUrls = Array.from({ length: 11 }, (_, index) => `https://shop.test/${index}.jpg`)
  const { prepared } = prepare(
    { variants: { a: {} }, found: { a: [problem('/imageUrls', 'too few'), problem('/imageUrls/9', 'too small')] } },
    [wanted('a', { overrides: { imageUrls: imageUrls.with(1, 'http://shop.test/1.jpg') } })]
  )
  const [refused, found, ...others] = await problemsOf(prepared)

  t.match(refused, /^\/overrides\/imageUrls\/1: /)
  t.equal(found, '/overrides/imageUrls/10: too small')
  t.strictSame(others, [], 'one of the images is a stand-in')
})
