import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { ExternalId, Money, Timestamp } from './values.ts'

export const Address = Type.Object({
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  company: Type.Optional(Type.String()),
  taxId: Type.Optional(Type.String()),
  street: Type.String(),
  postcode: Type.String(),
  city: Type.String(),
  /** ISO 3166-1 alpha-2, upper case. */
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  phone: Type.Optional(Type.String())
}, { additionalProperties: false })
export type Address = Static<typeof Address>

export const OrderLine = Type.Object({
  /**
   * The platform's own line id; a position in the list would change on the next read. It is unique
   * within its order and, when the adapter says `orders.keepsLineIds`, on the whole platform.
   */
  externalId: ExternalId,
  offerExternalId: Type.Optional(ExternalId),
  name: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  /** Gross, for one unit. */
  unitPrice: Money
}, { additionalProperties: false })
export type OrderLine = Static<typeof OrderLine>

/** How the buyer pays, and what was paid so far. */
export const OrderPayment = Type.Object({
  /**
   * `cash-on-delivery`: who delivers collects the money. The hub has the carrier collect the
   * order's total without `paid`, and a shop books no payment. `deferred`: the platform lets the
   * buyer pay later. `prepaid`: everything else.
   */
  method: Type.Union([Type.Literal('prepaid'), Type.Literal('cash-on-delivery'), Type.Literal('deferred')]),
  /**
   * What the buyer has paid, in the currency of the total. Zero until cash on delivery is
   * collected.
   */
  paid: Money,
  /** The platform's name of the way to pay, for people. */
  methodName: Type.Optional(Type.String())
}, { additionalProperties: false })
export type OrderPayment = Static<typeof OrderPayment>

/**
 * A part of the total that is no line of the shop's catalog and not the shipping: a deposit for
 * bottles, gift wrapping. The hub reserves nothing for it and hands it on to the shop.
 */
export const OrderExtra = Type.Object({
  kind: Type.Union([Type.Literal('deposit'), Type.Literal('service'), Type.Literal('other')]),
  name: Type.String(),
  /** Gross, for the whole order. Negative for a discount of the whole order. */
  price: Money
}, { additionalProperties: false })
export type OrderExtra = Static<typeof OrderExtra>

/** A parcel on its way. */
export const Tracking = Type.Object({
  /** The carrier as the platform names it, or `other`. */
  carrier: Type.String({ minLength: 1 }),
  /**
   * As the platform has it. A shop with one field may hold several numbers in it: an adapter that
   * writes parcels calls `splitTrackingNumbers`.
   */
  number: Type.String({ minLength: 1 }),
  url: Type.Optional(Type.String())
}, { additionalProperties: false })
export type Tracking = Static<typeof Tracking>

/** A complete order, as read from its platform. */
export const Order = Type.Object({
  externalId: ExternalId,
  /**
   * `pending`: not paid yet, the hub does nothing for it. `processing`: paid, or to be paid on
   * delivery.
   */
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('processing'),
    Type.Literal('shipped'),
    Type.Literal('delivered'),
    Type.Literal('cancelled'),
    Type.Literal('returned')
  ]),
  upstreamStatus: Type.Optional(Type.String()),
  /**
   * Changes whenever the order changes: it is part of the idempotency key of the job that ingests
   * the order.
   */
  revision: Type.String(),
  placedAt: Timestamp,
  buyer: Type.Object({ externalId: Type.Optional(ExternalId), email: Type.Optional(Type.String()) }, {
    additionalProperties: false
  }),
  lines: Type.Array(OrderLine, { minItems: 1 }),
  extras: Type.Optional(Type.Array(OrderExtra)),
  /** At a marketplace the sum of the lines, the shipping and the extras. */
  total: Money,
  payment: OrderPayment,
  /**
   * Who ships. `elsewhere`: a warehouse of the platform does, so the hub neither reserves pieces
   * nor gives the order to a shop or a carrier. Absent: the seller.
   */
  fulfilment: Type.Optional(Type.Union([Type.Literal('seller'), Type.Literal('elsewhere')])),
  shipping: Type.Object({
    methodId: Type.String(),
    methodName: Type.Optional(Type.String()),
    price: Money,
    pickupPointId: Type.Optional(Type.String()),
    address: Type.Optional(Address)
  }, { additionalProperties: false }),
  invoiceAddress: Type.Optional(Address),
  comment: Type.Optional(Type.String()),
  /** Absent when the platform does not know it. */
  tracking: Type.Optional(Tracking)
}, { additionalProperties: false })
export type Order = Static<typeof Order>

/** A line of an order to be created, with its variant in the destination's catalog. */
export const NewOrderLine = Type.Composite([
  OrderLine,
  Type.Object({ productExternalId: ExternalId, variantExternalId: ExternalId })
], { additionalProperties: false })
export type NewOrderLine = Static<typeof NewOrderLine>

/**
 * A marketplace order to create in a shop. Its amounts are gross and the ones that the buyer paid:
 * ignore the shop's own prices.
 */
export const NewOrder = Type.Composite([
  Type.Omit(Order, ['lines', 'fulfilment']),
  Type.Object({
    lines: Type.Array(NewOrderLine, { minItems: 1 }),
    /**
     * The connection on which the buyer placed the order. Together with the method of `shipping` it
     * selects the carrier of the shop.
     */
    source: Type.Object({ connectionId: Type.String(), platformType: Type.String() }, { additionalProperties: false })
  })
], { additionalProperties: false })
export type NewOrder = Static<typeof NewOrder>

/**
 * An order that exists in a shop. `problems`: reasons for somebody to look at it (another total, an
 * error state).
 */
export const CreatedOrder = Type.Object(
  { externalId: ExternalId, problems: Type.Optional(Type.Array(Type.String())) },
  { additionalProperties: false }
)
export type CreatedOrder = Static<typeof CreatedOrder>

const ShippingMethod = Type.Pick(Order.properties.shipping, ['methodId', 'methodName'])

/** A line whose variant the hub may not know: the offer of a new line may be linked to none. */
const ChangedLine = Type.Composite([
  OrderLine,
  Type.Object({ productExternalId: Type.Optional(ExternalId), variantExternalId: Type.Optional(ExternalId) })
], { additionalProperties: false })

/** What the shop got, and what the marketplace says now. */
function changed<From extends TSchema, To extends TSchema> (from: From, to: To) {
  return Type.Object({ from, to }, { additionalProperties: false })
}

/**
 * How an order at its marketplace differs from the order that the shop got. Only what differs is a
 * member. `from` is missing when the shop got none, `to` when there is none any more. `lines` are
 * those that differ: a new line has no `from`, a removed one no `to`.
 */
export const OrderChanges = Type.Partial(
  Type.Object({
    address: changed(Type.Optional(Address), Address),
    invoiceAddress: changed(Type.Optional(Address), Address),
    pickupPointId: changed(Type.Optional(Type.String()), Type.Optional(Type.String())),
    shippingMethod: changed(ShippingMethod, ShippingMethod),
    lines: Type.Array(changed(Type.Optional(ChangedLine), Type.Optional(ChangedLine)), { minItems: 1 }),
    payment: changed(OrderPayment, OrderPayment),
    total: changed(Money, Money),
    comment: changed(Type.Optional(Type.String()), Type.String())
  }),
  { additionalProperties: false }
)
export type OrderChanges = Static<typeof OrderChanges>

/**
 * What became of the changes. `notApplied`: the members of `OrderChanges` that the shop's order
 * still lacks. The hub shows them to people, with the reason as the rest of a sentence: `the order
 * is shipped`. Do not quote addresses in it.
 */
export const UpdatedOrder = Type.Object({
  notApplied: Type.Array(Type.Object({
    what: Type.KeyOf(OrderChanges),
    reason: Type.String({ minLength: 1 })
  }, { additionalProperties: false }))
}, { additionalProperties: false })
export type UpdatedOrder = Static<typeof UpdatedOrder>

/** Announces a change of an order; the runtime then reads the complete order. */
export const OrderEvent = Type.Object({
  eventId: Type.String({ minLength: 1 }),
  /**
   * Absent when the event concerns no order. The runtime acknowledges such an event, so that it
   * hides no others.
   */
  orderExternalId: Type.Optional(ExternalId),
  occurredAt: Timestamp
}, { additionalProperties: false })
export type OrderEvent = Static<typeof OrderEvent>

/**
 * A part of a journal. `cursor`: the position of the next read; the runtime stores it together with
 * the jobs of these events. `hasMore`: the runtime goes on reading at once. `isIncomplete`: events
 * between the requested cursor and these are lost, so the runtime starts a sweep over `listOrders`.
 */
export const OrderEventPage = Type.Object({
  events: Type.Array(OrderEvent),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 65_536 })),
  hasMore: Type.Boolean(),
  isIncomplete: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
export type OrderEventPage = Static<typeof OrderEventPage>

export const DeliveryMethod = Type.Object({
  id: Type.String(),
  name: Type.String(),
  cashOnDelivery: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
export type DeliveryMethod = Static<typeof DeliveryMethod>

/** Status words that the hub writes to an order on a platform. */
export type OrderStatusChange = 'processing' | 'shipped' | 'delivered' | 'cancelled'

/**
 * The result of a write that an operator may switch off in the connection's config. `skipped` says
 * why the adapter wrote nothing; the job succeeds and shows it. `setting` is the name of the member
 * of the config that switches the write on. While the config has no value for it, the hub asks for
 * a decision, with the number of shipped orders; when it becomes `true`, the hub tells these.
 */
export const WriteBack = Type.Union([
  Type.Undefined(),
  Type.Null(),
  Type.Object({
    skipped: Type.String(),
    setting: Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))
  }, { additionalProperties: false })
])
export type WriteBack = { skipped: string, setting?: string | undefined } | undefined
