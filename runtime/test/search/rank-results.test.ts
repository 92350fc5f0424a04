import fc from 'fast-check'
import t from 'tap'
import { mostResults, rankResults, type Found } from '../../src/search/rank-results.ts'

const found = (more: Partial<Found> = {}): Found => ({
  kind: 'variant',
  id: '1',
  title: 'Mug',
  subtitle: '',
  matchedBy: 'name',
  isExact: false,
  ...more
})
const ids = (...results: Found[]): string[] => rankResults(results).map(({ id }) => id)

t.test('whole values come before beginnings, and ids before names', async t => {
  t.strictSame(
    ids(
      found({ id: 'beginning of a name', matchedBy: 'name' }),
      found({ id: 'beginning of an SKU', matchedBy: 'sku' }),
      found({ id: 'name', isExact: true }),
      found({ id: 'request', isExact: true, matchedBy: 'requestId', kind: 'job' }),
      found({ id: 'EAN', isExact: true, matchedBy: 'ean' }),
      found({ id: 'SKU', isExact: true, matchedBy: 'sku' }),
      found({ id: 'SKU of an offer', isExact: true, matchedBy: 'sku', kind: 'offer' }),
      found({ id: 'there', isExact: true, matchedBy: 'externalId', kind: 'order' }),
      found({ id: 'here', isExact: true, matchedBy: 'id', kind: 'job' })
    ),
    [
      'here',
      'there',
      'SKU of an offer',
      'SKU',
      'EAN',
      'request',
      'name',
      'beginning of an SKU',
      'beginning of a name'
    ]
  )
})

t.test('results of one rank are in the order of their titles', async t => {
  t.strictSame(ids(found({ id: '1', title: 'b' }), found({ id: '3', title: 'a' }), found({ id: '2', title: 'a' })), [
    '2',
    '3',
    '1'
  ])
})

t.test('a thing that several values found comes once, by the best; a job and a delivery share an id', async t => {
  t.match(rankResults([found(), found({ matchedBy: 'sku', isExact: true }), found({ isExact: true })]), [{
    id: '1',
    matchedBy: 'sku'
  }])
  t.equal(
    rankResults([
      found({ kind: 'job', matchedBy: 'id' }),
      found({ kind: 'delivery', matchedBy: 'id' }),
      found({ kind: 'job', matchedBy: 'requestId' })
    ]).length,
    2
  )
})

t.test('the answer does not depend on the order in which things were found', async t => {
  const results = fc.array(
    fc.record<Found>({
      kind: fc.constantFrom('connection', 'offer', 'variant', 'job'),
      id: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
      title: fc.constantFrom('a', 'b'),
      subtitle: fc.constant(''),
      matchedBy: fc.constantFrom('id', 'sku', 'name'),
      isExact: fc.boolean()
    }),
    { maxLength: 60 }
  )
  const property = fc.property(results, fc.nat(), (given, by) => {
    const turned = [...given.slice(by % (given.length + 1)), ...given.slice(0, by % (given.length + 1))]
    const [one, other] = [rankResults(given), rankResults(turned)]
    if (one.length > mostResults) throw new Error('too many')
    if (one.some((result, index) => result.id !== other[index]?.id || result.kind !== other[index]?.kind)) {
      throw new Error('the order of the finds shows')
    }
  })
  fc.assert(property)
  t.pass('none of the orders shows')
})
