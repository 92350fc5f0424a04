import type { Offer } from '@linker/sdk'
import t from 'tap'
import { describeFound } from '../../../src/offers/reconcile/describe-found.ts'
import type { RefreshedOffer } from '../../../src/offers/reconcile/store.ts'

const now = new Date('2026-01-31T10:00:00.000Z')
const price = { amount: '9.90', currency: 'EUR' }

function ours (more: Partial<RefreshedOffer> = {}): RefreshedOffer {
  return {
    id: '1',
    externalId: 'offer-1',
    status: 'ACTIVE',
    quantity: 5,
    price,
    writtenAt: '2026-01-31T09:00:00.000Z',
    staleUntil: null,
    ...more
  }
}

function theirs (more: Partial<Offer> = {}): Offer {
  return { externalId: 'offer-1', status: 'ACTIVE', quantity: 5, price, frozenFields: [], problems: [], ...more }
}

t.test('an offer that is as the hub wrote it differs in nothing', async t => {
  t.strictSame(describeFound(ours(), theirs({ upstreamStatus: 'live' }), now), {
    externalId: 'offer-1',
    readAt: now.toISOString(),
    exists: true,
    status: 'ACTIVE',
    upstreamStatus: 'live',
    quantity: 5,
    price,
    frozenFields: [],
    hub: { status: 'ACTIVE', quantity: 5, price, writtenAt: '2026-01-31T09:00:00.000Z' },
    differs: [],
    staleUntil: null,
    quantityMayBeOlder: false
  })
  t.strictSame(describeFound(ours(), theirs({ price: { amount: '9.9', currency: 'EUR' } }), now).differs, [])
})

t.test('status, quantity and price differ each by itself', async t => {
  const cases: [Partial<Offer>, string[]][] = [
    [{ status: 'INACTIVE' }, ['status']],
    [{ quantity: 0 }, ['quantity']],
    [{ price: { amount: '99', currency: 'EUR' } }, ['price']],
    [{ price: { amount: '9.90', currency: 'PLN' } }, ['price']],
    [{ status: 'ENDED', quantity: 7, price: { amount: '990', currency: 'EUR' } }, ['status', 'quantity', 'price']]
  ]
  for (const [shown, differs] of cases) t.strictSame(describeFound(ours(), theirs(shown), now).differs, differs)
})

t.test('within the lag a quantity may be from before the last write, unless the hub knows better', async t => {
  const lagging = ours({ staleUntil: '2026-01-31T10:20:00.000Z' })
  const olderOf = (offer: RefreshedOffer, quantity: number, mayBeOlder?: boolean) =>
    describeFound(offer, theirs({ quantity }), now, mayBeOlder).quantityMayBeOlder

  t.equal(olderOf(lagging, 4), true)
  t.equal(olderOf(lagging, 4, true), true)
  t.equal(olderOf(lagging, 99, false), false)
  t.equal(olderOf(lagging, 5), false, 'the last write')
  t.equal(olderOf(ours(), 4), false, 'the lag has ended')
})

t.test('nothing differs from what one of the two does not tell', async t => {
  const silent = { ...theirs(), quantity: undefined, price: undefined }
  t.match(describeFound(ours(), silent, now), { quantity: null, price: null, differs: [] })
  const unwritten = ours({ status: 'DRAFT', quantity: null, price: null })
  t.strictSame(describeFound(unwritten, theirs(), now).differs, [])
  t.match(describeFound(ours(), undefined, now), { exists: false, status: null, differs: [] })
})
