import t from 'tap'
import { addSummaries } from '../../src/cli/marketplace-offers.ts'
import type { LinkSummary } from '../../src/offers/marketplace/schemas.ts'

const sampled = (externalId: string): LinkSummary['sample'][number] => ({
  externalId,
  title: null,
  variantId: '00000000-0000-4000-8000-000000000001',
  name: null,
  sku: null,
  ean: null,
  matchedBy: 'sku'
})
const summary = (more: Partial<LinkSummary>): LinkSummary => ({
  dryRun: false,
  matched: 0,
  eligible: 0,
  linked: 0,
  skipped: [],
  sample: [],
  readAt: null,
  next: null,
  atMost: false,
  ...more
})

t.test('requests that go on after each other are told as one', async t => {
  const first = summary({
    matched: 5,
    eligible: 2,
    linked: 1,
    skipped: [{ reason: 'no-match', count: 3 }, { reason: 'changed-meanwhile', count: 1 }],
    sample: Array.from({ length: 6 }, (_, index) => sampled(`a${index}`)),
    readAt: '2026-01-31T10:00:00.000Z',
    next: 'a9',
    atMost: true
  })
  const second = summary({
    matched: 2,
    eligible: 1,
    linked: 1,
    skipped: [{ reason: 'no-match', count: 1 }],
    sample: Array.from({ length: 6 }, (_, index) => sampled(`b${index}`)),
    readAt: '2026-01-31T09:00:00.000Z'
  })

  const sum = addSummaries(first, second)
  t.strictSame(
    { ...sum, sample: [] },
    summary({
      matched: 7,
      eligible: 3,
      linked: 2,
      skipped: [{ reason: 'no-match', count: 4 }, { reason: 'changed-meanwhile', count: 1 }],
      readAt: '2026-01-31T09:00:00.000Z'
    })
  )
  t.strictSame(sum.sample.map(({ externalId }) => externalId).slice(4), ['a4', 'a5', 'b0', 'b1', 'b2', 'b3'])
  t.match(addSummaries(second, summary({ next: 'c', atMost: true })), {
    next: 'c',
    atMost: true,
    readAt: second.readAt
  })
})
