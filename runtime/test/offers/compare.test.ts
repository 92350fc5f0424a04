import type { Offer } from '@linker/sdk'
import t from 'tap'
import {
  compareOffers,
  isDifferent,
  storableQuantity,
  warningsOf,
  type SettledOffer
} from '../../src/offers/compare.ts'

const settled = (externalId: string, more: Partial<SettledOffer> = {}): SettledOffer => ({
  id: `id of ${externalId}`,
  externalId,
  sent: 5,
  frozenFields: [],
  quantity: 5,
  reserved: 0,
  buffer: 0,
  maxListed: null,
  ...more
})

const shown = (externalId: string, more: Partial<Offer> = {}): Offer => ({
  externalId,
  status: 'ACTIVE',
  quantity: 5,
  frozenFields: [],
  problems: [],
  ...more
})

t.test('a quantity beyond the range of its column becomes the nearest one within', async t => {
  t.equal(storableQuantity(5), 5)
  t.equal(storableQuantity(9_000_000_000), 2_147_483_647)
  t.equal(storableQuantity(-9_000_000_000), -2_147_483_647)
  t.equal(storableQuantity(undefined), undefined)
})

t.test('an offer is compared only with its own quantity, and not without a shown one', async t => {
  const offers = [settled('a'), settled('without'), settled('b'), settled('not shown')]
  const compared = compareOffers(offers, [
    shown('b', { quantity: 9_000_000_000, frozenFields: ['title', 'stock'] }),
    shown('without', { quantity: undefined }),
    shown('a', { quantity: 0, frozenFields: ['title'] }),
    shown('unknown to the hub')
  ])

  t.strictSame(
    compared.map(({ offer, upstreamQuantity, isFrozen }) => [offer.externalId, upstreamQuantity, isFrozen]),
    [['a', 0, false], ['b', 2_147_483_647, true]]
  )
})

t.test('the hub writes what differs and what has thawed, but never frozen stock', async t => {
  const differs = (sent: number | null, upstreamQuantity: number, wasFrozen: boolean, isFrozen: boolean) =>
    isDifferent({
      offer: settled('a', { sent, frozenFields: wasFrozen ? ['title', 'stock'] : ['title'] }),
      upstreamQuantity,
      isFrozen
    })

  t.equal(differs(5, 5, false, false), false)
  t.equal(differs(5, 4, false, false), true)
  t.equal(differs(null, 0, false, false), true, 'the hub does not know what it wrote')
  t.equal(differs(5, 4, false, true), false)
  t.equal(differs(5, 4, true, true), false)
  t.equal(differs(5, 5, true, false), true, 'changes during the freeze were never sent')
})

t.test('the reading decides which warnings an offer has, not the freeze that the hub knew of', async t => {
  const codesOf = (wasFrozen: boolean, isFrozen: boolean, upstreamQuantity: number) =>
    warningsOf({ offer: settled('a', { frozenFields: wasFrozen ? ['stock'] : [] }), upstreamQuantity, isFrozen })
      .map(({ code }) => code)

  t.strictSame(codesOf(true, false, 9), [])
  t.strictSame(codesOf(false, true, 5), ['stock-frozen'])
  t.strictSame(codesOf(false, true, 6), ['stock-frozen', 'oversell'])
})
