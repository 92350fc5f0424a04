import t from 'tap'
import { describeAge, formatExplanation } from '../../src/cli/explain-offer.ts'
import type { OfferExplanation } from '../../src/offers/explanation/schemas.ts'

const id = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`
const explanation: OfferExplanation = {
  offerId: id(1),
  externalId: 'offer-1',
  variant: { id: id(2), name: 'Mug Red', sku: 'SKU-1', ean: '590' },
  connection: { id: id(3), name: 'Market' },
  verdict: 'write-waiting',
  sentence: 'Offer shows 5, should show 3: the write waits.',
  contributing: [{
    verdict: 'reserved',
    sentence: '2 pieces are reserved.',
    evidence: { at: null },
    nextAction: { sentence: 'Look.', command: null, call: null }
  }],
  chain: [
    { step: 'master', quantity: 5, at: '2026-01-31T09:00:00.000Z' },
    { step: 'written', quantity: 5, at: '2026-01-31T11:59:00.000Z', jobId: id(4), note: 'an earlier version' },
    { step: 'shown', quantity: null, at: null }
  ],
  price: {
    basis: 'price',
    offer: { amount: '8.00', currency: 'PLN' },
    price: { amount: '8.00', currency: 'PLN' },
    regularPrice: null,
    sentence: "The offer has 8.00 PLN, as shop 'Shop'."
  },
  evidence: { at: null },
  nextAction: { sentence: 'Wait.', command: `linker jobs show ${id(4)}`, call: null },
  checkedAt: '2026-01-31T12:00:00.000Z'
}

t.test('an age is told in its largest unit', async t => {
  const ages: [number, string][] = [
    [-5, '0 s'],
    [0, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [86_399_999, '23 h'],
    [200_000_000, '2 d']
  ]
  for (const [milliseconds, age] of ages) t.equal(describeAge(milliseconds), age)
})

t.test('an explanation is a sentence, the chain with its ages, what else is true, and the next action', async t => {
  t.equal(
    formatExplanation(explanation),
    [
      `Offer ${id(1)}, 'offer-1' at 'Market', Mug Red (SKU SKU-1, EAN 590)`,
      'Offer shows 5, should show 3: the write waits.',
      '',
      'STEP     QUANTITY  AGE    AT                        JOB                                   NOTE',
      'master   5         3 h    2026-01-31T09:00:00.000Z',
      `written  5         1 min  2026-01-31T11:59:00.000Z  ${id(4)}  an earlier version`,
      'shown    ?',
      '',
      'ALSO      BECAUSE',
      'reserved  2 pieces are reserved.',
      '',
      "Price: The offer has 8.00 PLN, as shop 'Shop'.",
      'Verdict: write-waiting',
      'Next: Wait.',
      `  linker jobs show ${id(4)}`
    ].join('\n')
  )
})

t.test('what is not known is left out, and texts of others make no lines of their own', async t => {
  const printed = formatExplanation({
    ...explanation,
    externalId: 'a\nVerdict: in-step',
    variant: null,
    contributing: [],
    nextAction: { sentence: 'Nothing.', command: null, call: null }
  })

  t.notMatch(printed, /^Verdict: in-step/m)
  t.notMatch(printed, /ALSO|SKU/)
  t.ok(printed.endsWith('Next: Nothing.'))
})
