import fc from 'fast-check'
import t from 'tap'
import { bucketCount, bucketOf, percentileOf, upperMsOf } from '../../src/figures/buckets.ts'

t.test('each duration lies between the ends of its bucket', async t => {
  fc.assert(fc.property(fc.double({ min: 0, max: 700_000, noNaN: true }), ms => {
    const bucket = bucketOf(ms)
    return ms <= upperMsOf(bucket) * (1 + 1e-9) && (bucket === 0 || ms > upperMsOf(bucket - 1) * (1 - 1e-9))
  }))
  for (let bucket = 0; bucket < bucketCount - 1; bucket += 1) t.equal(bucketOf(upperMsOf(bucket)), bucket)
})

t.test('ten minutes have a bucket of their own, and anything else has a bucket, too', async t => {
  t.ok(upperMsOf(bucketOf(600_000)) >= 600_000)
  for (const ms of [Number.NaN, Number.NEGATIVE_INFINITY, -5]) t.equal(bucketOf(ms), 0)
  for (const ms of [1e9, Number.POSITIVE_INFINITY]) t.equal(bucketOf(ms), bucketCount - 1)
})

const durations = fc.array(fc.double({ min: 0, max: 700_000, noNaN: true }), { minLength: 1, maxLength: 200 })
const share = fc.double({ min: 0, max: 1, noNaN: true })

function histogramOf (values: readonly number[]): number[] {
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const ms of values) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1
  return counts
}

t.test('a percentile lies in the bucket of the true one', async () => {
  fc.assert(fc.property(durations, share, (values, wanted) => {
    const sorted = values.toSorted((a, b) => a - b)
    const exact = sorted[Math.max(1, Math.ceil(wanted * values.length)) - 1] ?? 0
    return bucketOf(percentileOf(histogramOf(values), wanted) ?? -1) === bucketOf(exact)
  }))
})

t.test('a larger share has no smaller percentile', async () => {
  fc.assert(fc.property(durations, share, share, (values, one, other) => {
    const counts = histogramOf(values)
    return (percentileOf(counts, Math.min(one, other)) ?? 0) <= (percentileOf(counts, Math.max(one, other)) ?? 0)
  }))
})

t.test('the percentile of merged histograms is the same whoever counted', async () => {
  fc.assert(fc.property(durations, durations, share, (one, other, wanted) => {
    const [first, second] = [histogramOf(one), histogramOf(other)]
    const merged = first.map((count, bucket) => count + (second[bucket] ?? 0))
    return percentileOf(merged, wanted) === percentileOf(histogramOf([...other, ...one]), wanted)
  }))
})

t.test('nothing has no percentile', async t => {
  t.equal(percentileOf([], 0.5), null)
  t.equal(percentileOf(histogramOf([]), 0.5), null)
})
