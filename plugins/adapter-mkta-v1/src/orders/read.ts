import {
  ExternalId,
  Nullable,
  RejectedError,
  toTimestamp,
  TransientError,
  type Order,
  type OrderLine
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { toMoney, UpstreamMoney, withoutLines } from '../money.ts'
import { parseAs } from '../read-answer.ts'
import { Buyer, clean, Delivery, deliveryAddressOf, Invoice, invoiceAddressOf } from './addresses.ts'

const LineItem = Type.Object({
  id: Nullable(ExternalId),
  offer: Nullable(Type.Object({ id: Nullable(ExternalId), name: Nullable(Type.String()) })),
  quantity: Type.Integer({ minimum: 1 }),
  /** The price of one piece, after the seller's discounts. */
  price: UpstreamMoney,
  boughtAt: Type.String()
})

/**
 * The members of the marketplace's checkout form that the adapter reads. Other members come and go.
 */
export const CheckoutForm = Type.Object({
  id: ExternalId,
  status: Type.String({ minLength: 1 }),
  fulfillment: Nullable(Type.Object({ status: Nullable(Type.String()) })),
  messageToSeller: Nullable(Type.String()),
  buyer: Nullable(Buyer),
  payment: Nullable(Type.Object({ type: Nullable(Type.String()) })),
  delivery: Nullable(Type.Composite([
    Delivery,
    Type.Object({
      method: Nullable(Type.Object({ id: Nullable(Type.String()), name: Nullable(Type.String()) })),
      cost: Nullable(UpstreamMoney)
    })
  ])),
  invoice: Nullable(Invoice),
  lineItems: Type.Array(LineItem, { minItems: 1 }),
  summary: Type.Object({ totalToPay: UpstreamMoney }),
  updatedAt: Nullable(Type.String()),
  revision: Nullable(Type.String())
})
export type CheckoutForm = Static<typeof CheckoutForm>

export function parseCheckoutForm (form: unknown): CheckoutForm {
  return parseAs(CheckoutForm, form, 'the order')
}

/**
 * Turns a checkout form into an order of the hub. `maskedMailDomains`: the beginnings of the mail
 * domains that hide buyers.
 */
export function readOrder (upstream: unknown, maskedMailDomains: readonly string[]): Order {
  const form = parseCheckoutForm(upstream)
  const { id, status, lineItems, summary: { totalToPay }, messageToSeller, invoice } = form
  const fulfillment = fulfillmentOf(form)
  return {
    externalId: id,
    status: statusOf(form),
    upstreamStatus: `${status}/${fulfillment}`,
    // Add the status: a cancellation may leave the marketplace's revision unchanged.
    revision: `${form.revision ?? form.updatedAt ?? ''}/${status}/${fulfillment}`,
    placedAt: placedAtOf(form),
    buyer: buyerOf(form.buyer ?? undefined, maskedMailDomains),
    lines: lineItems.map((line, index) => toLine(id, line, index)),
    total: toMoney(totalToPay),
    shipping: shippingOf(form),
    invoiceAddress: invoiceAddressOf(invoice ?? {}),
    comment: clean(messageToSeller)
  }
}

/** The status that the seller gave the order. */
export function fulfillmentOf ({ fulfillment }: Pick<CheckoutForm, 'fulfillment'>): string {
  return fulfillment?.status ?? 'NEW'
}

/** Whether the order is cancelled: either of its two statuses may say so. */
export function isCancelled (form: Pick<CheckoutForm, 'status' | 'fulfillment'>): boolean {
  return form.status === 'CANCELLED' || fulfillmentOf(form) === 'CANCELLED'
}

function statusOf (form: CheckoutForm): Order['status'] {
  if (isCancelled(form)) return 'cancelled'
  switch (fulfillmentOf(form)) {
    case 'SENT':
      return 'shipped'
    case 'PICKED_UP':
      return 'delivered'
    case 'RETURNED':
      return 'returned'
    // READY_FOR_PROCESSING means paid or to be paid on delivery. Before that the order must wait.
    default:
      return form.status === 'READY_FOR_PROCESSING' ? 'processing' : 'pending'
  }
}

function placedAtOf ({ lineItems }: CheckoutForm): string {
  const times = lineItems.flatMap(({ boughtAt }) => toTimestamp(boughtAt) ?? []).toSorted()
  if (times[0] === undefined) {
    const problem = '/lineItems/0/boughtAt: no time with a zone'
    throw new TransientError(`the marketplace described the order in an unknown form (${problem})`)
  }
  return times[0]
}

function toLine (orderId: string, { id, offer, quantity, price }: Static<typeof LineItem>, index: number): OrderLine {
  // Do not use the position instead: after the next read it may name another line.
  if (id === undefined || id === null) throw new RejectedError(`line ${index + 1} of order ${orderId} has no id`)
  return {
    externalId: id,
    offerExternalId: offer?.id ?? undefined,
    name: offer?.name ?? '',
    quantity,
    unitPrice: toMoney(price)
  }
}

/**
 * Buyers are told apart by their id, or else by their address. In a masked address the part after
 * the plus differs with each order, so it is cut off when the address is the identity. Mail needs
 * the whole address.
 */
function buyerOf (buyer: Static<typeof Buyer> | undefined, maskedMailDomains: readonly string[]): Order['buyer'] {
  const id = clean(buyer?.id)
  const email = clean(buyer?.email)?.toLowerCase()
  const address = id === undefined && email !== undefined ? identityOf(email, maskedMailDomains) : email
  return { externalId: id, email: address }
}

function identityOf (email: string, maskedMailDomains: readonly string[]): string {
  const [, name = '', domain = ''] = /^([^+@]*)\+[^@]*@(.+)$/.exec(email) ?? []
  return maskedMailDomains.some(masked => domain.startsWith(masked.toLowerCase())) ? `${name}@${domain}` : email
}

function shippingOf (form: CheckoutForm): Order['shipping'] {
  const { delivery, buyer, payment, lineItems, summary: { totalToPay } } = form
  const { method, cost, pickupPoint } = delivery ?? {}
  return {
    methodId: method?.id ?? '',
    methodName: clean(method?.name),
    price: cost === undefined || cost === null ? withoutLines(totalToPay, lineItems) : toMoney(cost),
    cashOnDelivery: payment?.type === 'CASH_ON_DELIVERY',
    pickupPointId: clean(pickupPoint?.id),
    address: deliveryAddressOf(delivery ?? {}, buyer ?? undefined)
  }
}
