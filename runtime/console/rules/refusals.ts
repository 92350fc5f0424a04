/** Sums up the refusals of a span by their codes, the most frequent first. */
export function refusalsOf (refused: Readonly<Record<string, readonly number[]>>): { code: string, count: number }[] {
  return Object.entries(refused)
    .map(([code, counts]) => ({ code, count: counts.reduce((sum, one) => sum + one, 0) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
}
