/** Tells people that an order needs attention. People read `detail`, the hub reads `code`. */
export interface OrderProblem {
  code: OrderProblemCode
  detail: string
}

export type ToldStatus = 'processing' | 'shipped' | 'delivered' | 'cancelled'

export type OrderProblemCode =
  // Between marketplace and hub.
  | 'unmapped'
  | 'shared-lines'
  | 'held-back'
  | 'gone'
  | 'placed-before'
  | 'tracking-not-told'
  | 'status-not-told'
  | `${ToldStatus}-not-told`
  // Between hub and shop.
  | 'not-created'
  | 'shop-reported'
  | 'LNK_ORDER_CHANGED'
  | 'not-cancelled-in-shop'
  | 'cancellation-refused'
  | 'cancelled-in-shop-only'
  | 'elsewhere-at-shop'
  | 'missing-in-shop'
  | 'tracking-not-told-to-shop'
  // Between hub and carrier.
  | 'routing'
  | 'parcel-not-made'
  | 'parcel-not-cancelled'
  | 'parcel-cancellation-refused'
  // A marketplace, shop or carrier of the order.
  | 'connection-deleted'

/** Whether a problem says that the marketplace does not know the order, which a reading settles. */
export function isAboutUnknown ({ code }: OrderProblem): boolean {
  return code === 'gone'
}

/** Whether a problem says that the marketplace changed the order after the shop got it. */
export function isAboutChanges ({ code }: OrderProblem): boolean {
  return code === 'LNK_ORDER_CHANGED'
}

/** Whether a problem says that the shop and a warehouse of the marketplace have the order. */
export function isAboutTwoWarehouses ({ code }: OrderProblem): boolean {
  return code === 'elsewhere-at-shop'
}

/** Whether a problem says that another order shares lines of this one. */
export function isAboutSharedLines ({ code }: OrderProblem): boolean {
  return code === 'shared-lines'
}

/** Whether a problem says that a connection of the order is deleted, which nothing undoes. */
export function isAboutDeletion ({ code }: OrderProblem): boolean {
  return code === 'connection-deleted'
}

export function hasProblem (problems: readonly OrderProblem[], { code, detail }: OrderProblem): boolean {
  return problems.some(problem => problem.code === code && problem.detail === detail)
}

/** Each problem once, in the same order. */
export function withoutRepeats (problems: readonly OrderProblem[]): OrderProblem[] {
  return problems.filter((problem, index) => !hasProblem(problems.slice(0, index), problem))
}
