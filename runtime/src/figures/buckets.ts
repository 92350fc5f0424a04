// Buckets of durations end at the powers of √2 from 1 ms to 12 minutes; a last one has all that is
// longer. Such buckets can be added up, whoever filled them and however long ago.

const lastBound = 39

/** How many buckets there are. */
export const bucketCount = lastBound + 2

/** Returns the upper end of a bucket in milliseconds. The last has that of the one before it. */
export function upperMsOf (bucket: number): number {
  return 2 ** (Math.min(bucket, lastBound) / 2)
}

/** Returns the bucket of a duration. One below zero, from clocks that differ, counts as zero. */
export function bucketOf (ms: number): number {
  if (!(ms > 1)) return 0
  // The logarithm of a bound may be a little more than its number.
  return Math.min(lastBound + 1, Math.ceil(2 * Math.log2(ms) - 1e-9))
}

/**
 * Returns the duration in milliseconds that `share` of all durations do not exceed, or null when
 * there are none. `counts`: how many durations each bucket has. The answer lies in the bucket of
 * the true duration, so it is wrong by less than 42 %.
 */
export function percentileOf (counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const wanted = Math.max(1, Math.ceil(share * total))
  let passed = 0
  for (const [bucket, count] of counts.entries()) {
    if (passed + count >= wanted) return positionIn(bucket, (wanted - passed) / count)
    passed += count
  }
  return upperMsOf(lastBound)
}

/** The durations of a bucket lie as densely at each power between its ends. */
function positionIn (bucket: number, share: number): number {
  if (bucket > lastBound) return upperMsOf(lastBound)
  return bucket === 0 ? share : 2 ** ((bucket - 1 + share) / 2)
}
