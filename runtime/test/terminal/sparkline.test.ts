import t from 'tap'
import { sparkline } from '../../src/terminal/sparkline.ts'

t.test('the largest number is a full column, and any other a share of it', async t => {
  t.equal(sparkline([0, 1, 4, 8, 8_000]), '·▁▁▁█')
  t.equal(sparkline([2, 4, 6, 8]), '▂▄▆█')
})

t.test('nothing is no column, and a number that is none does no harm', async t => {
  t.equal(sparkline([]), '')
  t.equal(sparkline([0, 0]), '··')
  t.equal(sparkline([Number.NaN, -1]), '··')
})
