import {
  ExternalId,
  Nullable,
  RejectedError,
  toTimestamp,
  TransientError,
  type Order,
  type OrderLine,
  type Tracking
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { defaultCurrency, toMoney } from '../offers/fields.ts'
import { deliveryAddressOf, invoiceAddressOf, UpstreamAddress } from './addresses.ts'

const Id = Type.Union([Type.String(), Type.Integer()])

const Item = Type.Object({
  id: Nullable(Id),
  externalId: Nullable(Type.String({ maxLength: 1_023 })),
  name: Nullable(Type.String()),
  quantity: Type.Integer({ minimum: 1 }),
  unitPrice: Type.Integer()
})

/** The tracking of a parcel: its carrier and number, or only a URL. */
export const DeliveryTracking = Type.Object({
  vendor: Nullable(Type.String()),
  trackingNumber: Nullable(Type.String()),
  trackingUrl: Nullable(Type.String())
})

/** The members of the marketplace's order that the adapter reads. Other members come and go. */
const UpstreamOrder = Type.Object({
  id: ExternalId,
  status: Type.String(),
  sellerStatus: Type.String(),
  user: Nullable(Type.Object({
    email: Nullable(Type.String()),
    deliveryAddress: Nullable(UpstreamAddress),
    invoiceAddress: Nullable(UpstreamAddress)
  })),
  items: Type.Array(Item, { minItems: 1 }),
  delivery: Type.Object({
    typeId: Nullable(Type.String()),
    name: Nullable(Type.String()),
    price: Type.Integer(),
    cod: Nullable(Type.Boolean()),
    pickupPlace: Nullable(Type.Composite([
      Type.Omit(UpstreamAddress, ['type']),
      Type.Object({ id: Nullable(Id), externalId: Nullable(Type.String()) })
    ]))
  }),
  rebate: Nullable(Type.Object({ name: Nullable(Type.String()) })),
  comment: Nullable(Type.String()),
  currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$' })),
  totalPrice: Type.Integer(),
  deliveryTracking: Nullable(DeliveryTracking),
  created: Type.String(),
  updated: Type.String({ minLength: 1 }),
  purchasedAt: Nullable(Type.String())
})
type UpstreamOrder = Static<typeof UpstreamOrder>

export function readOrder (order: unknown): Order {
  if (!Value.Check(UpstreamOrder, order)) {
    const problem = Value.Errors(UpstreamOrder, order).First()
    throw unknownForm(problem?.path, problem?.message)
  }
  const { id, status, sellerStatus, user, items, delivery, comment, created, updated, purchasedAt } = order
  const currency = order.currency ?? defaultCurrency
  const email = user?.email?.trim().toLowerCase() ?? ''
  const placedAt = toTimestamp(purchasedAt ?? created)
  if (placedAt === undefined) throw unknownForm('/purchasedAt', 'no time with a zone')
  return {
    externalId: id,
    status: statusOf(order),
    upstreamStatus: `${status}/${sellerStatus}`,
    revision: `${updated}/${status}/${sellerStatus}`,
    placedAt,
    buyer: email === '' ? {} : { email },
    lines: items.map((item, index) => toLine({ id, currency }, item, index)),
    ...totalOf(order, currency),
    payment: paymentOf(order, currency),
    shipping: shippingOf(delivery, currency, user ?? undefined),
    invoiceAddress: invoiceAddressOf(user ?? {}),
    comment: comment?.trim() || undefined,
    tracking: trackingOf(order.deliveryTracking)
  }
}

function unknownForm (path = '', message = ''): TransientError {
  return new TransientError(`the marketplace described the order in an unknown form (${path}: ${message})`)
}

/**
 * Only `status` says whether the order was paid, cancelled or returned. For a paid order,
 * `sellerStatus` says how far the seller is.
 */
function statusOf ({ status, sellerStatus }: UpstreamOrder): Order['status'] {
  switch (status) {
    case 'cancelled':
    case 'returned':
      return status
    case 'purchased':
      break
    default:
      return 'pending'
  }
  switch (sellerStatus) {
    case 'received':
      return 'delivered'
    // On its way, waiting to be picked up, or on its way back: the parcel has left the seller.
    case 'sent':
    case 'readyToPickup':
    case 'returningToSender':
    case 'returned':
      return 'shipped'
    default:
      return 'processing'
  }
}

function toLine (
  order: { id: string, currency: string },
  { id, externalId, name, quantity, unitPrice }: Static<typeof Item>,
  index: number
): OrderLine {
  // Do not use the position instead: after the next read it may name another line.
  if (id === undefined || id === null || id === '') {
    throw new RejectedError(`line ${index + 1} of order ${order.id} has no id`)
  }
  return {
    externalId: String(id),
    offerExternalId: externalId || undefined,
    name: name ?? '',
    quantity,
    unitPrice: toMoney(unitPrice, order.currency)
  }
}

function shippingOf (
  { typeId, name, price, pickupPlace }: UpstreamOrder['delivery'],
  currency: string,
  user: NonNullable<UpstreamOrder['user']> | undefined
): Order['shipping'] {
  const pickupPointId = String(pickupPlace?.externalId || pickupPlace?.id || '')
  // An order without a buyer has no recipient, even when it names a pickup point.
  const address = user && deliveryAddressOf(user, pickupPlace ?? undefined)
  return {
    methodId: typeId ?? '',
    methodName: name ?? undefined,
    price: toMoney(price, currency),
    pickupPointId: pickupPointId || undefined,
    address
  }
}

/** A part of the total that is neither lines nor delivery, such as a rebate, is an extra. */
function totalOf (
  { items, delivery, rebate, totalPrice }: UpstreamOrder,
  currency: string
): Pick<Order, 'total' | 'extras'> {
  const total = toMoney(totalPrice, currency)
  const parts = items.map(({ unitPrice, quantity }) => unitPrice * quantity)
  const rest = parts.reduce((left, part) => left - part, totalPrice - delivery.price)
  if (rest === 0) return { total }
  const name = rebate?.name?.trim() || 'Other amounts of the marketplace'
  return { total, extras: [{ kind: 'other', name, price: toMoney(rest, currency) }] }
}

function paymentOf (
  { status, delivery, purchasedAt, totalPrice }: UpstreamOrder,
  currency: string
): Order['payment'] {
  if (delivery.cod === true) return { method: 'cash-on-delivery', paid: toMoney(0, currency) }
  // A cancelled order keeps the time of its purchase.
  const isPaid = status === 'purchased' || status === 'returned' || Boolean(purchasedAt)
  return { method: 'prepaid', paid: toMoney(isPaid ? totalPrice : 0, currency) }
}

function trackingOf (deliveryTracking: UpstreamOrder['deliveryTracking']): Tracking | undefined {
  const { vendor, trackingNumber, trackingUrl } = deliveryTracking ?? {}
  if (!vendor || !trackingNumber) return undefined
  return { carrier: vendor, number: trackingNumber, url: trackingUrl || undefined }
}
