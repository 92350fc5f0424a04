const blocks = '▁▂▃▄▅▆▇█'

/** A column for each number, as high as its share of the largest one; `·` for none. */
export function sparkline (values: readonly number[]): string {
  const largest = Math.max(0, ...values)
  return values.map(value => {
    if (!(value > 0)) return '·'
    return blocks.charAt(Math.ceil(value / largest * blocks.length) - 1)
  }).join('')
}
