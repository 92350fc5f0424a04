import t from 'tap'
import { readLimits } from '../../console/rules/limits.ts'

t.test('limits are numbers of pieces, and an empty most is no limit', async t => {
  t.strictSame(readLimits({ buffer: ' 2', maxListed: '10' }), { buffer: 2, maxListed: 10 })
  t.strictSame(readLimits({ buffer: '0', maxListed: '' }), { buffer: 0, maxListed: null })
})

t.test('anything else is refused before the hub refuses it', async t => {
  for (const buffer of ['', '-1', '1.5', 'x', '2147483648']) {
    t.match(readLimits({ buffer, maxListed: '' }), { problem: /./ })
  }
  t.match(readLimits({ buffer: '1', maxListed: '1e3' }), { problem: /./ })
})
