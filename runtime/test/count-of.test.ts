import t from 'tap'
import { countOf } from '../src/count-of.ts'

t.test('a number has its noun', async t => {
  t.strictSame([0, 1, 2].map(count => countOf(count, 'job')), ['0 jobs', '1 job', '2 jobs'])
})
