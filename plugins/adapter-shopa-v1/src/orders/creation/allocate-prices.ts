import { RejectedError } from '@linker/sdk'

/** A line of a cart. Amounts are gross and counted in the smallest units of the currency. */
export interface CartLine {
  productId: string
  attributeId: string
  quantity: bigint
  total: bigint
}

/** Merges the lines of one variant: a cart holds each variant once, with one price. */
export function mergeLines (lines: readonly CartLine[]): CartLine[] {
  const byVariant = Map.groupBy(lines, ({ productId, attributeId }) => `${productId}/${attributeId}`)
  return [...byVariant.values()].map(mergeVariant)
}

function mergeVariant (lines: readonly CartLine[]): CartLine {
  const [first, ...others] = lines
  if (first === undefined) throw new TypeError('a group has no lines')
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0n)
  const total = lines.reduce((sum, line) => sum + line.total, 0n)
  if (others.length > 0 && total % quantity !== 0n) {
    const variant = `product ${first.productId}, variant ${first.attributeId}`
    const reason = 'the shop takes only one, and their average is not a whole number of cents'
    throw new RejectedError(`${variant} is in the order at several prices: ${reason}`)
  }
  return { ...first, quantity, total }
}

/** Scales the lines' totals so that they add up to `target`, rounding by the largest remainder. */
export function allocateTotals (lines: readonly CartLine[], target: bigint): CartLine[] {
  const sum = lines.reduce((sum, { total }) => sum + total, 0n)
  if (sum === target) return [...lines]
  if (target < 0n || sum <= 0n) {
    throw new RejectedError("the buyer's total does not fit the lines and the shipping of the order")
  }

  // Count in whole cents per unit where possible, because the shop rounds the price of one unit.
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
  // Give the rest to a line whose quantity divides it; else to the line with the largest remainder,
  // whose unit price then has a fraction of a cent.
  const taker = byRemainder.find(({ line }) => left % line.quantity === 0n) ?? byRemainder[0]
  return shares.map(share => ({
    ...share.line,
    total: share.unit * share.line.quantity + (share === taker ? left : 0n)
  }))
}
