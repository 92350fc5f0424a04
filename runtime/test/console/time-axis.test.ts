import t from 'tap'
import { axisOf } from '../../console/rules/time-axis.ts'

t.test('without long pauses, the axis is even', async t => {
  const { placeOf, breaks } = axisOf([{ fromMs: 1_000, toMs: 1_400 }, { fromMs: 1_500, toMs: 2_000 }], 100)

  t.strictSame([1_000, 1_250, 1_450, 2_000].map(placeOf), [0, 25, 45, 100])
  t.strictSame(breaks, [])
})

t.test('a pause of minutes does not squeeze the work around it', async t => {
  const { placeOf, breaks } = axisOf([{ fromMs: 0, toMs: 100 }, { fromMs: 60_100, toMs: 60_200 }], 300)

  t.strictSame([0, 100, 60_100, 60_200].map(placeOf), [0, 100, 200, 300])
  t.equal(placeOf(30_100), 150)
  t.strictSame(breaks, [{ place: 150, ms: 60_000 }])
})

t.test('spans inside others and moments take no place of their own', async t => {
  const { placeOf } = axisOf([
    { fromMs: 0, toMs: 100 },
    { fromMs: 20, toMs: 40 },
    { fromMs: 100, toMs: 100 }
  ], 100)

  t.equal(placeOf(40), 40)
  t.equal(placeOf(100), 100)
})

t.test('times outside stand at the ends, and one moment needs no width', async t => {
  const { placeOf } = axisOf([{ fromMs: 10, toMs: 20 }], 100)

  t.strictSame([0, 99].map(placeOf), [0, 100])
  t.equal(axisOf([{ fromMs: 10, toMs: 10 }], 100).placeOf(10), 0)
  t.equal(axisOf([], 100).placeOf(10), 0)
})
