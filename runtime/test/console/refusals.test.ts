import t from 'tap'
import { refusalsOf } from '../../console/rules/refusals.ts'

t.test('refusals are summed up by their codes, the most frequent first', t => {
  t.strictSame(refusalsOf({ A: [0, 1], B: [2, 0, 3], C: [0, 0] }), [{ code: 'B', count: 5 }, { code: 'A', count: 1 }])
  t.strictSame(refusalsOf({}), [])
  t.end()
})
