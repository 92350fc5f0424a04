import { RejectedError } from '@linker/sdk'

/** A line of a cart. Amounts are gross and counted in the smallest units of the currency. */
export interface CartLine {
  productId: string
  attributeId: string
  quantity: bigint
  total: bigint
}

/** Merges the lines of one variant: a cart holds each variant once, with one price. */
export function mergeLines<Line extends CartLine> (lines: readonly Line[]): Line[] {
  const byVariant = Map.groupBy(lines, ({ productId, attributeId }) => `${productId}/${attributeId}`)
  return [...byVariant.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const same = [first, ...others]
    const quantity = same.reduce((sum, line) => sum + line.quantity, 0n)
    const total = same.reduce((sum, line) => sum + line.total, 0n)
    return [{ ...first, quantity, total }]
  })
}

/**
 * Scales the lines' totals so that they add up to `target`, in whole cents per unit, because the
 * shop rounds the price of one unit. `rest` is what no line can take in whole cents.
 */
export function allocateTotals (
  lines: readonly CartLine[],
  target: bigint
): { lines: CartLine[], rest: bigint } {
  const sum = lines.reduce((sum, { total }) => sum + total, 0n)
  const isWhole = lines.every(({ total, quantity }) => total % quantity === 0n)
  if (sum === target && isWhole) return { lines: [...lines], rest: 0n }
  if (target < 0n || sum <= 0n) {
    throw new RejectedError("the buyer's total does not fit the lines and the shipping of the order")
  }

  const shares = lines.map(line => {
    const [exact, divisor] = [target * line.total, sum * line.quantity]
    return { line, unit: exact / divisor, remainder: exact % divisor * 1_000_000n / divisor }
  })
  let left = target - shares.reduce((sum, { unit, line }) => sum + unit * line.quantity, 0n)
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder - a.remainder))
  for (const share of byRemainder) {
    if (share.line.quantity > left) continue
    share.unit += 1n
    left -= share.line.quantity
  }
  // Give the rest to a line whose quantity divides it.
  const taker = byRemainder.find(({ line }) => left % line.quantity === 0n)
  return {
    lines: shares.map(share => ({
      ...share.line,
      total: share.unit * share.line.quantity + (share === taker ? left : 0n)
    })),
    rest: taker === undefined ? left : 0n
  }
}

/** Adds a rest to the line with the most pieces, whose price then has a fraction of a cent. */
export function addRest (lines: readonly CartLine[], rest: bigint): CartLine[] {
  const [largest] = lines.toSorted((a, b) => Number(b.quantity - a.quantity))
  return lines.map(line => line === largest ? { ...line, total: line.total + rest } : line)
}
