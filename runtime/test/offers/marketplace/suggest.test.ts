import fc from 'fast-check'
import t from 'tap'
import {
  suggestVariants,
  type Candidate,
  type MatchedBy,
  type UnlinkedIdentity
} from '../../../src/offers/marketplace/suggest.ts'

const offer = (more: Partial<UnlinkedIdentity> = {}): UnlinkedIdentity => ({
  reference: null,
  sku: null,
  ean: null,
  isReleased: false,
  ...more
})
const match = (variantId: string, matchedBy: MatchedBy, more: Partial<Candidate> = {}): Candidate => ({
  variantId,
  name: `Mug ${variantId}`,
  sku: null,
  ean: null,
  matchedBy,
  isMissing: false,
  hasOffer: false,
  hasRival: false,
  ...more
})
const bySku = (variantId: string, more: Partial<Candidate> = {}): Candidate =>
  match(variantId, 'sku', { sku: 'SKU-1', ...more })
const withSku = offer({ sku: 'SKU-1' })

interface Case {
  offer: UnlinkedIdentity
  candidates: Candidate[]
  /** Variant, value that matched, and reason of each suggestion. */
  expected: [variantId: string, matchedBy: MatchedBy, reason: string][]
}

const cases: Readonly<Record<string, Case>> = {
  'nothing matches': { offer: withSku, candidates: [], expected: [] },
  "the hub's own id": {
    offer: offer({ reference: 'v' }),
    candidates: [match('v', 'reference')],
    expected: [['v', 'reference', 'only-match']]
  },
  "the hub's own id, although the shop has changed SKU and EAN": {
    offer: offer({ reference: 'v', sku: 'OLD', ean: '40123455' }),
    candidates: [match('v', 'reference', { sku: 'NEW', ean: '59012345678' })],
    expected: [['v', 'reference', 'only-match']]
  },
  "the hub's own id counts more than the SKU of another variant": {
    offer: offer({ reference: 'v', sku: 'SKU-1' }),
    candidates: [bySku('w'), match('v', 'reference')],
    expected: [['v', 'reference', 'only-match'], ['w', 'sku', 'better-match']]
  },
  'one SKU': { offer: withSku, candidates: [bySku('v')], expected: [['v', 'sku', 'only-match']] },
  'one SKU with blanks around it': {
    offer: offer({ sku: ' SKU-1 ' }),
    candidates: [bySku('v', { sku: 'SKU-1\t' })],
    expected: [['v', 'sku', 'only-match']]
  },
  "an SKU that is the seller's own id": {
    offer: offer({ reference: 'SKU-1', sku: 'another system' }),
    candidates: [bySku('v')],
    expected: [['v', 'sku', 'only-match']]
  },
  'an SKU in other capital letters': {
    offer: offer({ sku: 'sku-1' }),
    candidates: [bySku('v')],
    expected: [['v', 'sku', 'not-exact']]
  },
  'an SKU and an EAN of one variant': {
    offer: offer({ sku: 'SKU-1', ean: '0012345678905' }),
    candidates: [bySku('v', { ean: '12345678905' }), match('v', 'ean', { sku: 'SKU-1', ean: '12345678905' })],
    expected: [['v', 'sku', 'only-match']]
  },
  'an SKU whose variant has another EAN': {
    offer: offer({ sku: 'SKU-1', ean: '40123455' }),
    candidates: [bySku('v', { ean: '59012345678' })],
    expected: [['v', 'sku', 'other-ean']]
  },
  'an SKU, where only one side tells an EAN': {
    offer: offer({ sku: 'SKU-1', ean: ' ' }),
    candidates: [bySku('v', { ean: '59012345678' })],
    expected: [['v', 'sku', 'only-match']]
  },
  'an SKU of one variant and an EAN of another': {
    offer: offer({ sku: 'SKU-1', ean: '59012345678' }),
    candidates: [bySku('v'), match('w', 'ean', { ean: '59012345678' })],
    expected: [['v', 'sku', 'matches-disagree'], ['w', 'ean', 'matches-disagree']]
  },
  'an EAN that two variants have, of which the SKU names one': {
    offer: offer({ sku: 'SKU-1', ean: '59012345678' }),
    candidates: [
      match('w', 'ean', { ean: '59012345678' }),
      match('v', 'ean', { sku: 'SKU-1', ean: '59012345678' }),
      bySku('v', { ean: '59012345678' })
    ],
    expected: [['v', 'sku', 'only-match'], ['w', 'ean', 'better-match']]
  },
  'two variants with the SKU': {
    offer: withSku,
    candidates: [bySku('v'), bySku('w')],
    expected: [['v', 'sku', 'several-variants'], ['w', 'sku', 'several-variants']]
  },
  'an SKU and a reference that are SKUs of different variants': {
    offer: offer({ sku: 'SKU-1', reference: 'SKU-2' }),
    candidates: [bySku('v'), match('w', 'sku', { sku: 'SKU-2' })],
    expected: [['v', 'sku', 'several-variants'], ['w', 'sku', 'several-variants']]
  },
  'one EAN': {
    offer: offer({ ean: '059012345678' }),
    candidates: [match('v', 'ean', { ean: '59012345678' })],
    expected: [['v', 'ean', 'only-match']]
  },
  'a text that is no EAN': {
    offer: offer({ ean: 'N/A' }),
    candidates: [match('v', 'ean', { ean: 'n/a' })],
    expected: [['v', 'ean', 'not-exact']]
  },
  'a number that is too short for an EAN': {
    offer: offer({ ean: '5' }),
    candidates: [match('v', 'ean', { ean: '0000000000005' })],
    expected: [['v', 'ean', 'not-exact']]
  },
  'a number that is too long for an EAN': {
    offer: offer({ reference: '590123456789012' }),
    candidates: [match('v', 'ean', { ean: '590123456789012' })],
    expected: [['v', 'ean', 'not-exact']]
  },
  'an SKU beside texts that are no EANs': {
    offer: offer({ sku: 'SKU-1', ean: '-' }),
    candidates: [bySku('v', { ean: 'none' }), match('w', 'ean', { ean: '-' })],
    expected: [['v', 'sku', 'only-match'], ['w', 'ean', 'better-match']]
  },
  'an EAN of a variant with another SKU, as of a pack': {
    offer: offer({ ean: '59012345678', sku: 'SKU-1-PACK' }),
    candidates: [match('v', 'ean', { ean: '59012345678', sku: 'SKU-1' })],
    expected: [['v', 'ean', 'other-sku']]
  },
  "an EAN, with a seller's id that is no SKU": {
    offer: offer({ ean: '59012345678', reference: '4711' }),
    candidates: [match('v', 'ean', { ean: '59012345678', sku: 'SKU-1' })],
    expected: [['v', 'ean', 'only-match']]
  },
  'another offer of the marketplace sells the variant': {
    offer: withSku,
    candidates: [bySku('v', { hasOffer: true, hasRival: true })],
    expected: [['v', 'sku', 'variant-has-offer']]
  },
  'two unlinked offers match the variant': {
    offer: withSku,
    candidates: [bySku('v', { hasRival: true })],
    expected: [['v', 'sku', 'several-offers']]
  },
  'the shop does not have the variant any more': {
    offer: withSku,
    candidates: [bySku('v', { isMissing: true })],
    expected: [['v', 'sku', 'variant-missing']]
  },
  'the shop has made the variant anew': {
    offer: offer({ sku: 'SKU-1', ean: '59012345678' }),
    candidates: [
      bySku('v', { isMissing: true, ean: '59012345678' }),
      match('v', 'ean', { isMissing: true, ean: '59012345678' }),
      bySku('w')
    ],
    expected: [['w', 'sku', 'only-match'], ['v', 'sku', 'variant-missing']]
  },
  'an operator unlinked the offer': {
    offer: offer({ reference: 'v', isReleased: true }),
    candidates: [match('v', 'reference'), bySku('w')],
    expected: [['v', 'reference', 'unlinked-by-operator'], ['w', 'sku', 'unlinked-by-operator']]
  }
}

for (const [name, { offer, candidates, expected }] of Object.entries(cases)) {
  t.test(name, async t => {
    for (const given of [candidates, candidates.toReversed()]) {
      const found = suggestVariants(offer, given)
      t.strictSame(
        found.map(({ variantId, matchedBy, reason }) => [variantId, matchedBy, reason]).toSorted(),
        expected.toSorted()
      )
      t.equal(found[0]?.matchedBy, expected[0]?.[1])
      for (const { certain, reason } of found) t.equal(certain, reason === 'only-match')
    }
  })
}

t.test('people see five suggestions', async t => {
  t.equal(suggestVariants(withSku, Array.from({ length: 6 }, (_, index) => bySku(String(index)))).length, 5)
})

const texts = fc.option(fc.constantFrom('A', 'a', ' A', 'B', '0', '00', '1', '01', ''), { nil: null })
const anyOffer = fc.record({ reference: texts, sku: texts, ean: texts, isReleased: fc.boolean() })
const anyCandidate = fc.record<Candidate>({
  variantId: fc.constantFrom('u', 'v', 'w'),
  name: fc.constant(null),
  sku: texts,
  ean: texts,
  matchedBy: fc.constantFrom('reference', 'sku', 'ean'),
  isMissing: fc.boolean(),
  hasOffer: fc.boolean(),
  hasRival: fc.boolean()
})

t.test('whatever the facts', async t => {
  const property = fc.property(anyOffer, fc.array(anyCandidate, { maxLength: 8 }), (offer, candidates) => {
    const found = suggestVariants(offer, candidates)
    const certain = found.filter(suggestion => suggestion.certain)
    const ids = found.map(({ variantId }) => variantId)
    if (certain.length > 1) throw new Error('two variants are certain')
    if (certain.length > 0 && certain[0] !== found[0]) throw new Error('a certain variant is not the first')
    if (new Set(ids).size < ids.length) throw new Error('a variant is suggested twice')
    if (new Set(candidates.map(({ variantId }) => variantId)).size !== ids.length) throw new Error('a variant is lost')
    for (const { variantId } of certain) {
      const facts = candidates.filter(candidate => candidate.variantId === variantId)
      if (offer.isReleased) throw new Error('an operator unlinked the offer')
      if (facts.every(({ isMissing }) => isMissing)) throw new Error('the variant is missing')
      if (facts.every(({ hasOffer, hasRival }) => hasOffer || hasRival)) throw new Error('another offer matches')
    }
  })
  fc.assert(property, { numRuns: 2_000 })
  t.pass('at most one suggestion is certain, and only without an objection')
})
