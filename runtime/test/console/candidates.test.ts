import t from 'tap'
import { nameOfVariant, toCandidates } from '../../console/rules/candidates.ts'
import { SuggestionReason } from '../../src/offers/marketplace/schemas.ts'

const variant = { variantId: '0b5e8f7a-3f0c-4c3e-9d0a-5a1f7d6c2e11', name: 'Mug Red', sku: 'SKU-27-R', ean: null }

t.test('a certain suggestion says what matches, a doubtful one says the doubt as well', async t => {
  const [certain, doubtful] = toCandidates([
    { ...variant, matchedBy: 'ean', certain: true, reason: 'only-match' },
    { ...variant, matchedBy: 'sku', certain: false, reason: 'other-ean' }
  ])

  t.strictSame(certain, { ...variant, because: 'the same EAN', isCertain: true })
  t.equal(doubtful?.because, 'the same SKU, but the EANs differ')
})

t.test('each doubt of the hub has words', async t => {
  for (const { const: reason } of SuggestionReason.anyOf) {
    const [candidate] = toCandidates([{ ...variant, matchedBy: 'sku', certain: reason === 'only-match', reason }])
    t.notOk(candidate?.because?.includes(reason), reason)
  }
})

t.test('a variant is named by what the hub knows of it', async t => {
  t.equal(nameOfVariant({ ...variant, ean: '5901234123457' }), 'Mug Red · SKU-27-R · EAN 5901234123457')
  t.equal(nameOfVariant({ name: null, sku: null, ean: null }), 'a variant without a name')
})
