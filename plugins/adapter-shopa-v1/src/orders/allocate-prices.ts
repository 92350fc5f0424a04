import { RejectedError } from '@linker/sdk'

/** A line of a cart. Amounts are gross and counted in the smallest pieces of the currency. */
export interface CartLine {
  productId: string
  attributeId: string
  quantity: bigint
  total: bigint
}

/** Lines of one variant as one: a cart knows each variant once, with one price. */
export function mergeLines (lines: readonly CartLine[]): CartLine[] {
  return [...Map.groupBy(lines, ({ productId, attributeId }) => `${productId}/${attributeId}`).values()].map(same => {
    const [first, ...others] = same
    if (first === undefined) throw new TypeError('a group has no lines')
    const quantity = same.reduce((sum, line) => sum + line.quantity, 0n)
    const total = same.reduce((sum, line) => sum + line.total, 0n)
    if (others.length > 0 && total % quantity !== 0n) {
      throw new RejectedError(`product ${first.productId}, variant ${first.attributeId} is in the order at several prices, of which the shop cannot make one without losing a cent`)
    }
    return { ...first, quantity, total }
  })
}

/**
 * The same lines with totals that come to `target`, each in proportion to what it was, rounding by
 * the largest remainder.
 */
export function allocateTotals (lines: readonly CartLine[], target: bigint): CartLine[] {
  const sum = lines.reduce((sum, { total }) => sum + total, 0n)
  if (sum === target) return [...lines]
  if (target < 0n || sum <= 0n) {
    throw new RejectedError("the buyer's total does not fit the lines and the shipping of the order")
  }

  // In whole pieces per unit where that comes out, because the shop rounds the price of one unit.
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
  // What is left goes to a line that can take it whole; else to one whose unit then has a fraction
  // of a piece.
  const taker = byRemainder.find(({ line }) => left % line.quantity === 0n) ?? byRemainder[0]
  return shares.map(share => ({
    ...share.line,
    total: share.unit * share.line.quantity + (share === taker ? left : 0n)
  }))
}
