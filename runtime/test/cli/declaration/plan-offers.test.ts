import t from 'tap'
import { planOffers } from '../../../src/cli/declaration/plan-offers.ts'
import type { DeclaredOffer, DeclaredVariant } from '../../../src/cli/declaration/schema.ts'
import { state } from './state.ts'

const plan = (...offers: DeclaredOffer[]) => planOffers({ version: 1, offers }, state)
const offer = (externalId: string, variant: DeclaredVariant, more: object = {}): DeclaredOffer => ({
  connection: 'Market',
  externalId,
  variant,
  ...more
})

t.test('a variant is found by SKU, by EAN, and by its ids in the shop', async t => {
  const byIds = { connection: 'Shop', productExternalId: '27', externalId: '102' }
  const { steps } = plan(offer('a', { sku: ' CUP' }), offer('b', { ean: '0077' }), offer('c', byIds))

  t.strictSame(
    steps.map(({ request: { path, body } }) => [path, body]),
    ['a', 'b', 'c'].map(externalId => [
      '/offers/link',
      { connectionId: 'market-id', variantId: 'cup-id', externalId }
    ])
  )
})

t.test('limits that differ are changed; a link to another variant is refused', async t => {
  t.match(plan(offer('m1', { sku: 'mug' }, { buffer: 3, maxListed: null })).steps, [{
    changes: [{ pointer: '/buffer', from: 2, to: 3 }],
    request: { method: 'PATCH', path: '/offers/offer-id' }
  }])
  t.strictSame(plan(offer('m1', { ean: '42' })).steps, [])
  t.match(plan(offer('m1', { sku: 'cup' })), {
    steps: { length: 0 },
    faults: [{ pointer: '/offers/0/variant', message: /linked to another variant/ }]
  })
})

t.test('an unknown variant makes the offer wait; one that is not clear is refused', async t => {
  t.match(plan(offer('a', { sku: 'none' })), { skipped: [{ object: 'offer', name: 'Market/a' }] })
  for (const variant of [{ sku: 'a', ean: 'b' }, { connection: 'Shop' }, { sku: 'a', externalId: '1' }]) {
    t.match(plan(offer('a', variant)).faults, [{ pointer: '/offers/0/variant', message: /either sku, or ean/ }])
  }
  t.match(plan({ ...offer('a', { sku: 'mug' }), connection: 'Nobody' }).faults, [{ pointer: '/offers/0/connection' }])
  const [product] = state.products
  const twice = { ...state, products: [...state.products, { ...product, connectionId: 'shop-id', externalId: '28' }] }
  t.match(planOffers({ version: 1, offers: [offer('a', { sku: 'mug' })] }, twice as typeof state).faults, [{
    message: /2 variants are meant/
  }])
})
