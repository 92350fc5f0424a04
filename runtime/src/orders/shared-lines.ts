/** A line of an order, as far as another order may have it, too. */
export interface SharedLine {
  externalId: string
  offerExternalId?: string | null
  quantity: number
}

/** An order as far as it matters to another order that has lines of it. */
export interface Purchase {
  externalId: string
  /** By the marketplace. */
  isPaid: boolean
  /** Nobody has paid it and no shop was asked for it: another order may take its place. */
  isOpen: boolean
  mayBeAtShop: boolean
  lines: readonly SharedLine[]
}

/** What an order is to another one that has lines of it; `problem`: neither, for this reason. */
export type Relation = 'replaces' | 'replaced' | { problem: string }

/**
 * Orders that are paid together become one, with their lines as they were. All else is a problem.
 */
export function relate (order: Purchase, other: Purchase): Relation {
  if (takesPlaceOf(order, other)) return 'replaces'
  if (takesPlaceOf(other, order)) return 'replaced'
  const [first, second] = [order.externalId, other.externalId].toSorted()
  return { problem: `orders '${first}' and '${second}'${shared} and are not merged: ${differenceOf(order, other)}` }
}

const shared = ' have lines in common'

/** Whether a problem of an order is that another one has lines of it. */
export function isAboutSharedLines (problem: string): boolean {
  return problem.startsWith("orders '") && problem.includes(shared)
}

function takesPlaceOf (newer: Purchase, older: Purchase): boolean {
  if (!older.isOpen || lineDifference(older, newer) !== undefined) return false
  // With the same lines and neither paid, either could be the newer one.
  return newer.isPaid || newer.lines.length > older.lines.length
}

function differenceOf (order: Purchase, other: Purchase): string {
  const [older, newer] = byAge(order, other)
  const line = lineDifference(older, newer)
  if (line !== undefined) return line
  if (order.mayBeAtShop || other.mayBeAtShop) return 'the shop has one of them, or may have it'
  return order.isPaid && other.isPaid ? 'both are paid' : 'it cannot be told which of them is the newer one'
}

/**
 * The same from both sides: of two that look alike the one with fewer lines counts as the older.
 */
function byAge (...orders: [Purchase, Purchase]): [Purchase, Purchase] {
  const [first, second] = orders.toSorted((a, b) => {
    const byState = Number(b.isOpen) - Number(a.isOpen) || a.lines.length - b.lines.length
    return byState || (a.externalId < b.externalId ? -1 : 1)
  })
  return [first ?? orders[0], second ?? orders[1]]
}

/** The first line of an order that another one does not have as it is. */
function lineDifference (older: Purchase, newer: Purchase): string | undefined {
  const lines = new Map(newer.lines.map(line => [line.externalId, line]))
  for (const { externalId, offerExternalId, quantity } of older.lines) {
    const line = lines.get(externalId)
    if (line === undefined) return `order '${newer.externalId}' lacks line '${externalId}'`
    if (line.quantity !== quantity) {
      const now = `order '${newer.externalId}' has ${line.quantity} of line '${externalId}'`
      return `${now}, order '${older.externalId}' has ${quantity}`
    }
    // An order may leave out what its line is of.
    const offers = new Set([offerExternalId, line.offerExternalId].filter(offer => typeof offer === 'string'))
    if (offers.size > 1) return `line '${externalId}' is of another offer`
  }
  return undefined
}
