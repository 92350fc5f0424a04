/** The part of a line that another order may share. */
export interface SharedLine {
  externalId: string
  offerExternalId?: string | null
  quantity: number
}

/** The part of an order that matters to another order with the same lines. */
export interface Purchase {
  externalId: string
  /** Whether the marketplace says that the order is paid. */
  isPaid: boolean
  /** Whether another order may take its place: it is neither paid nor sent to a shop. */
  isOpen: boolean
  mayBeAtShop: boolean
  lines: readonly SharedLine[]
}

/** How an order relates to another one with the same lines; `problem`: why neither replaces. */
export type Relation = 'replaces' | 'replaced' | { problem: string }

/**
 * Relates two orders that share lines. A marketplace merges orders that are paid together into one
 * with the same lines; every other case is a problem.
 */
export function relate (order: Purchase, other: Purchase): Relation {
  if (takesPlaceOf(order, other)) return 'replaces'
  if (takesPlaceOf(other, order)) return 'replaced'
  const [first, second] = [order.externalId, other.externalId].toSorted()
  return {
    problem: `orders '${first}' and '${second}' have lines in common but are not merged: ${differenceOf(order, other)}`
  }
}

function takesPlaceOf (newer: Purchase, older: Purchase): boolean {
  if (!older.isOpen || lineDifference(older, newer) !== undefined) return false
  // When both orders have the same lines and neither is paid, either could be the newer one.
  return newer.isPaid || newer.lines.length > older.lines.length
}

function differenceOf (order: Purchase, other: Purchase): string {
  const [older, newer] = byAge(order, other)
  const line = lineDifference(older, newer)
  if (line !== undefined) return line
  if (order.mayBeAtShop || other.mayBeAtShop) return 'the shop has or may have one of them'
  return order.isPaid && other.isPaid ? 'both are paid' : 'the hub cannot tell which of them is the newer one'
}

/**
 * Sorts two orders by age, with the same result from both sides. When both look alike, the order
 * with fewer lines counts as the older one.
 */
function byAge (...orders: [Purchase, Purchase]): [Purchase, Purchase] {
  const [first, second] = orders.toSorted((a, b) => {
    const byState = Number(b.isOpen) - Number(a.isOpen) || a.lines.length - b.lines.length
    return byState || (a.externalId < b.externalId ? -1 : 1)
  })
  return [first ?? orders[0], second ?? orders[1]]
}

/** Describes the first line of the older order that the newer one lacks or has changed. */
function lineDifference (older: Purchase, newer: Purchase): string | undefined {
  const lines = new Map(newer.lines.map(line => [line.externalId, line]))
  for (const { externalId, offerExternalId, quantity } of older.lines) {
    const line = lines.get(externalId)
    if (line === undefined) return `order '${newer.externalId}' lacks line '${externalId}'`
    if (line.quantity !== quantity) {
      const now = `order '${newer.externalId}' has ${line.quantity} of line '${externalId}'`
      return `${now}, order '${older.externalId}' has ${quantity}`
    }
    // An order may leave out the offer of a line.
    const offers = new Set([offerExternalId, line.offerExternalId].filter(offer => typeof offer === 'string'))
    if (offers.size > 1) return `line '${externalId}' belongs to another offer`
  }
  return undefined
}
