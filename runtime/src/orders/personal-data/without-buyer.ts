import type { Order } from '@linker/sdk'
import type { OrderProblem } from '../problem-codes.ts'

/** Stands in place of a text that may name the buyer. */
export const removedText = 'removed with the data of the buyer'

/**
 * An order without the data of its buyer. Ids, amounts, quantities, states and times stay. Keeps
 * the members that are named here, so that a new member of `Order` does not stay by mistake.
 */
export function orderWithoutBuyer (order: Order): Order {
  const { externalId, status, upstreamStatus, revision, placedAt, lines, total } = order
  const { extras, payment: { method, paid }, fulfilment, shipping: { methodId, methodName, price } } = order
  return {
    externalId,
    status,
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    revision,
    placedAt,
    buyer: {},
    lines,
    // The buyer may have written the text of a service.
    ...(extras === undefined ? {} : { extras: extras.map(({ kind, price }) => ({ kind, name: kind, price })) }),
    total,
    payment: { method, paid },
    ...(fulfilment === undefined ? {} : { fulfilment }),
    shipping: {
      methodId,
      ...(methodName === undefined ? {} : { methodName }),
      price
    }
  }
}

/** A problem of an order without its text: a platform may have quoted an address in it. */
export function problemWithoutText ({ code }: OrderProblem): OrderProblem {
  return { code, detail: `${code} (${removedText})` }
}

type Detail = Readonly<Record<string, unknown>>

/** Members of history entries that name states, ids and decisions of the hub. */
const keptMembers: ReadonlySet<string> = new Set([
  'by',
  'changes',
  'code',
  'connectionId',
  'explanation',
  'externalId',
  'fulfilment',
  'method',
  'name',
  'orders',
  'processorConnectionId',
  'processorKind',
  'revision',
  'sourceStatus',
  'status',
  'told',
  'upstreamStatus'
])

/**
 * The detail of a history entry without texts of platforms and without the parcel, whose number
 * leads to the address.
 */
export function detailWithoutBuyer (detail: Detail): Record<string, unknown> {
  return Object
    .fromEntries(Object.entries(detail).filter(([name, value]) =>
      keptMembers.has(name) && (name !== 'told' || typeof value === 'string')
    ))
}
