import type { Money, Order, OrderChanges } from '@linker/sdk'
import { isDeepStrictEqual } from 'node:util'

export type ChangeName = keyof OrderChanges

type Line = Order['lines'][number]

/**
 * Returns how an order at its marketplace differs from what the shop got. An address or a comment
 * that is missing now is no change: marketplaces remove the data of buyers after a time.
 */
export function changesBetween (handedOn: Order, now: Order): OrderChanges {
  const [given, wanted] = [handedOn.shipping, now.shipping]
  const changes: OrderChanges = {
    address: changed(given.address, wanted.address),
    invoiceAddress: changed(handedOn.invoiceAddress, now.invoiceAddress),
    pickupPointId: wanted.address === undefined && wanted.pickupPointId === undefined
      ? undefined
      : changedIn(given.pickupPointId, wanted.pickupPointId),
    shippingMethod: given.methodId === wanted.methodId
      ? undefined
      : { from: methodOf(given), to: methodOf(wanted) },
    lines: changedLines(handedOn.lines, now.lines),
    payment: isSamePayment(handedOn, now) ? undefined : { from: handedOn.payment, to: now.payment },
    total: isSameMoney(handedOn.total, now.total) ? undefined : { from: handedOn.total, to: now.total },
    comment: changed(handedOn.comment, now.comment)
  }
  return Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== undefined))
}

export function namesOf (changes: OrderChanges): ChangeName[] {
  return Object.keys(changes) as ChangeName[]
}

export function hasChanges (changes: OrderChanges): boolean {
  return namesOf(changes).length > 0
}

/** Returns what the shop has when it also has these members of the order as it is now. */
export function withMembers (handedOn: Order, now: Order, names: readonly ChangeName[]): Order {
  return names.reduce((order, name) => adopt[name](order, now), handedOn)
}

const adopt: Readonly<Record<ChangeName, (order: Order, now: Order) => Order>> = {
  address: (order, { shipping: { address } }) => ({ ...order, shipping: { ...order.shipping, address } }),
  invoiceAddress: (order, { invoiceAddress }) => ({ ...order, invoiceAddress }),
  pickupPointId: (order, { shipping: { pickupPointId } }) => ({
    ...order,
    shipping: { ...order.shipping, pickupPointId }
  }),
  shippingMethod: (order, { shipping: { methodId, methodName } }) => ({
    ...order,
    shipping: { ...order.shipping, methodId, methodName }
  }),
  lines: (order, { lines }) => ({ ...order, lines }),
  payment: (order, { payment }) => ({ ...order, payment }),
  total: (order, { total }) => ({ ...order, total }),
  comment: (order, { comment }) => ({ ...order, comment })
}

/**
 * Money that comes in later is no change: it is what the shop waits for. Money that goes back to
 * the buyer is one.
 */
function isSamePayment ({ payment: from }: Order, { payment: to }: Order): boolean {
  return from.method === to.method && Number(to.paid.amount) >= Number(from.paid.amount)
}

export function isSameMoney (left: Money, right: Money): boolean {
  return left.currency === right.currency && shortest(left.amount) === shortest(right.amount)
}

function shortest (amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

function changed<Value> (from: Value | undefined, to: Value | undefined): { from?: Value, to: Value } | undefined {
  if (to === undefined || isDeepStrictEqual(from, to)) return undefined
  return from === undefined ? { to } : { from, to }
}

function changedIn<Value> (from: Value | undefined, to: Value | undefined): { from?: Value, to?: Value } | undefined {
  if (from === to) return undefined
  return { ...from === undefined ? {} : { from }, ...to === undefined ? {} : { to } }
}

function methodOf ({ methodId, methodName }: Order['shipping']): Pick<Order['shipping'], 'methodId' | 'methodName'> {
  return methodName === undefined ? { methodId } : { methodId, methodName }
}

function changedLines (given: readonly Line[], now: readonly Line[]): OrderChanges['lines'] {
  const [before, after] = [given, now].map(lines => new Map(lines.map(line => [line.externalId, line])))
  const ids = [...new Set([...given, ...now].map(({ externalId }) => externalId))]
  const lines = ids.flatMap(id => {
    const [from, to] = [before?.get(id), after?.get(id)]
    return from !== undefined && to !== undefined && isSameLine(from, to) ? [] : changedIn(from, to) ?? []
  })
  return lines.length === 0 ? undefined : lines
}

/** The name of the offer may change without the order. */
function isSameLine (from: Line, to: Line): boolean {
  const offers = new Set([from.offerExternalId, to.offerExternalId].filter(offer => offer !== undefined))
  return from.quantity === to.quantity && isSameMoney(from.unitPrice, to.unitPrice) && offers.size < 2
}
