import t from 'tap'
import { countOf } from '../../console/rules/counts.ts'

t.test('a count has its noun in the right number', async t => {
  t.equal(countOf(1, 'offer'), '1 offer')
  t.equal(countOf(0, 'offer'), '0 offers')
  t.equal(countOf(12_000, 'offer'), '12,000 offers')
})
