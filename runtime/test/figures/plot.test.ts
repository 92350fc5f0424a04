import t from 'tap'
import { bucketOf } from '../../src/figures/buckets.ts'
import { toColumns } from '../../src/figures/plot.ts'

const span = { from: 600, to: 780, step: 60 }

t.test('each figure is a column with one value for each slot', async t => {
  const { step, times, series, refused } = toColumns(span, [
    { at: 600, name: 'webhooksAccepted', total: 3 },
    { at: 720, name: 'webhooksAccepted', total: 4 },
    { at: 660, name: 'refused:LNK_SIGNATURE_MISMATCH', total: 2 },
    { at: 660, name: `upstream:${bucketOf(100)}`, total: 99 },
    { at: 660, name: `upstream:${bucketOf(1_000)}`, total: 1 }
  ], [{ at: 720, queued: 5, waiting: 6, running: 7, oldestSeconds: 8.5, drift: null }])

  t.strictSame([step, times], [60, [600, 660, 720]])
  t.strictSame(series.webhooksAccepted, [3, 0, 4])
  t.strictSame(series.jobsDead, [0, 0, 0])
  t.strictSame(refused, { LNK_SIGNATURE_MISMATCH: [0, 2, 0] })
  t.strictSame([series.queued, series.drift], [[null, null, 5], [null, null, null]])
  const [p50, p99] = [series.upstreamP50, series.upstreamP99].map(column => column.map(ms => bucketOf(ms ?? -1)))
  t.strictSame([p50, p99], [[0, bucketOf(100), 0], [0, bucketOf(100), 0]])
  t.strictSame(series.upstreamP95.map(ms => ms === null), [true, false, true])
})

t.test('a name of a newer version and a slot outside of the span are left out', async t => {
  const { series } = toColumns(span, [
    { at: 600, name: 'somethingNew', total: 1 },
    { at: 540, name: 'jobsDead', total: 1 },
    { at: 780, name: 'jobsDead', total: 1 }
  ], [])

  t.notOk(Object.hasOwn(series, 'somethingNew'))
  t.strictSame(series.jobsDead, [0, 0, 0])
})
