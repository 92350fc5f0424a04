import t from 'tap'
import { formatFound } from '../../src/cli/format-found.ts'
import type { FoundOffer } from '../../src/offers/reconcile/describe-found.ts'

const price = { amount: '9.90', currency: 'EUR' }

function found (more: Partial<FoundOffer> = {}): FoundOffer {
  return {
    externalId: 'offer-1',
    readAt: '2026-01-31T10:00:00.000Z',
    exists: true,
    status: 'ACTIVE',
    upstreamStatus: 'live',
    quantity: 5,
    price,
    frozenFields: [],
    hub: { status: 'ACTIVE', quantity: 5, price, writtenAt: null },
    differs: [],
    staleUntil: null,
    quantityMayBeOlder: false,
    ...more
  }
}

t.test('a reading is a table of what is there and what the hub wrote', async t => {
  const lines = formatFound('id-1', found({ quantity: 7, differs: ['quantity'] })).split('\n')

  t.equal(lines[0], "Offer 'offer-1', read at 2026-01-31T10:00:00.000Z")
  t.match(lines[2], /^status +ACTIVE \(live\) +ACTIVE +no$/)
  t.match(lines[3], /^quantity +7 +5 +yes$/)
  t.match(lines[4], /^price +9\.90 EUR +9\.90 EUR +no$/)
  t.strictSame(lines.slice(5), [
    'The marketplace shows 7, and the hub last wrote 5: the hub writes it again.',
    'Next: linker stock --explain id-1'
  ])
})

t.test('what the hub makes of a reading', async t => {
  const differing = { quantity: 7, differs: ['quantity' as const] }
  const staleUntil = '2026-01-31T10:20:00.000Z'
  const cases: [Partial<FoundOffer>, RegExp][] = [
    [{}, /shows what the hub last wrote\.$/m],
    [{ staleUntil }, /shows what the hub last wrote\.$/m],
    [
      { ...differing, staleUntil },
      /shows 7, which is no quantity from before the last write of 5: .* again after 2026-01-31T10:20:00\.000Z/
    ],
    [
      { ...differing, staleUntil, quantityMayBeOlder: true },
      /may show the state before the last write until 2026-01-31T10:20:00\.000Z/
    ],
    [{ exists: false, staleUntil }, /may show the state before the last write until/],
    [{ exists: false }, /does not have the offer\.$/m],
    [{ ...differing, frozenFields: ['stock'] }, /The seller froze the stock there/],
    [
      { hub: { status: 'ACTIVE', quantity: null, price, writtenAt: null } },
      /^The hub has not written its quantity yet/m
    ],
    [{ differs: ['price'] }, /^The quantity is the same\.$/m]
  ]
  for (const [more, expected] of cases) t.match(formatFound('id-1', found(more)), expected)
})

t.test('a name from a marketplace cannot write to the terminal', async t => {
  t.notMatch(formatFound('id-1', found({ externalId: 'a\u001b[2J', upstreamStatus: 'b\u001b[2J' })), '\u001b')
})
