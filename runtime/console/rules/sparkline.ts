export const sparkWidth = 120
export const sparkHeight = 28

/**
 * The path of a small line through the values, from the left to the right of a field of 120 by 28.
 * A value of `largest` touches the top; without any value above 0, the line lies at the bottom.
 * Lines of one field need the same `largest`. Default: the largest value.
 */
export function sparkPath (values: readonly number[], largest = Math.max(...values, 0)): string {
  const step = values.length > 1 ? sparkWidth / (values.length - 1) : 0
  const points = values.map((value, index) => {
    const share = largest === 0 ? 0 : value / largest
    return `${round(index * step)} ${round(sparkHeight - 1 - share * (sparkHeight - 2))}`
  })
  return points.length === 0 ? '' : `M${points.join('L')}`
}

function round (value: number): number {
  return Math.round(value * 10) / 10
}
