import { Type, type Static } from '@sinclair/typebox'

/** The id of an object on its platform. Always a string, whatever type the platform sends. */
export const ExternalId = Type.String({ minLength: 1, maxLength: 1023 })

/**
 * `amount` is a decimal string with a dot (`"119.99"`), `currency` an ISO 4217 code. Never a float,
 * never minor units.
 */
export const Money = Type.Object({
  amount: Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,6})?$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' })
}, { additionalProperties: false })
export type Money = Static<typeof Money>

/** ISO 8601 with a zone. Adapters must convert a platform's local times. */
export const Timestamp = Type.String({ minLength: 20, maxLength: 40 })

/**
 * A property that distinguishes a variant from the others of its product, such as `{ name:
 * 'Colour', value: 'red' }`.
 */
export const VariantOption = Type.Object(
  { name: Type.String({ minLength: 1 }), value: Type.String({ minLength: 1 }) },
  { additionalProperties: false }
)
export type VariantOption = Static<typeof VariantOption>

/**
 * The unit that is sold and stocked. A product without variants on its platform has exactly one.
 */
export const Variant = Type.Object({
  externalId: ExternalId,
  name: Type.Optional(Type.String()),
  sku: Type.Optional(Type.String()),
  /** EAN-13; the adapter pads a 12-digit UPC-A with a leading zero. */
  ean: Type.Optional(Type.String()),
  /** Gross price. */
  price: Type.Optional(Money),
  /** The properties that distinguish it from the product's other variants. */
  options: Type.Optional(Type.Array(VariantOption)),
  imageUrls: Type.Optional(Type.Array(Type.String()))
}, { additionalProperties: false })
export type Variant = Static<typeof Variant>

export const Product = Type.Object({
  externalId: ExternalId,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  /** Whether the shop shows and sells it. */
  isActive: Type.Boolean(),
  variants: Type.Array(Variant, { minItems: 1 }),
  imageUrls: Type.Optional(Type.Array(Type.String())),
  updatedAt: Type.Optional(Timestamp)
}, { additionalProperties: false })
export type Product = Static<typeof Product>

/**
 * Stock of one variant. Leave out a quantity that the platform does not know: unknown is never
 * zero. A negative quantity means backorders.
 */
export const StockLevel = Type.Object({
  productExternalId: ExternalId,
  variantExternalId: ExternalId,
  quantity: Type.Integer()
}, { additionalProperties: false })
export type StockLevel = Static<typeof StockLevel>

/** One page of a listing. No `nextCursor` means the end. Cursors are opaque to the runtime. */
export interface Page<Item> {
  items: Item[]
  nextCursor?: string
}
/** The hub refuses a page with more than `limit` items, or with the stock of more products. */
export interface PageRequest {
  cursor?: string
  limit: number
}

/** Marketplace description: sections of one or two items (specification, section 2.7). */
export const Description = Type.Object({
  sections: Type.Array(Type.Object({
    items: Type.Array(
      Type.Object({ type: Type.Literal('TEXT'), content: Type.String() }, { additionalProperties: false }),
      { minItems: 1, maxItems: 2 }
    )
  }, { additionalProperties: false }))
}, { additionalProperties: false })
export type Description = Static<typeof Description>

/** The time in which the seller hands a parcel over. `day` means working days. */
export const DispatchTime = Type.Object({
  unit: Type.Union([Type.Literal('hour'), Type.Literal('day'), Type.Literal('month')]),
  period: Type.Integer({ minimum: 0, maximum: 365 })
}, { additionalProperties: false })
export type DispatchTime = Static<typeof DispatchTime>

/** A partial change of an offer: the adapter writes only the members present. */
export const OfferPatch = Type.Object({
  price: Type.Optional(Money),
  title: Type.Optional(Type.String({ minLength: 1 })),
  description: Type.Optional(Description)
}, { minProperties: 1, additionalProperties: false })
export type OfferPatch = Static<typeof OfferPatch>

/** The data of a new offer. `externalId` is the key that the hub chooses (the variant id). */
export const NewOffer = Type.Object({
  externalId: ExternalId,
  title: Type.String({ minLength: 1 }),
  description: Type.Optional(Description),
  price: Money,
  quantity: Type.Integer({ minimum: 0 }),
  /**
   * The images from the shop and the operator, possibly none. The adapter decides which of them the
   * platform can use.
   */
  imageUrls: Type.Array(Type.String()),
  sku: Type.Optional(Type.String()),
  ean: Type.Optional(Type.String()),
  /** The handling time of this offer. Default: the one in the connection's config. */
  dispatchTime: Type.Optional(DispatchTime),
  /**
   * The product of this offer, and the options that distinguish this variant from the others;
   * absent for a product without variants.
   */
  variantGroup: Type
    .Optional(Type.Object({ id: ExternalId, options: Type.Array(VariantOption, { minItems: 1 }) }, {
      additionalProperties: false
    })),
  publishImmediately: Type.Boolean()
}, { additionalProperties: false })
export type NewOffer = Static<typeof NewOffer>

/**
 * The result of a write to an offer: the names of the fields that took effect, and of those that
 * the seller froze on the marketplace.
 */
export const OfferWriteResult = Type.Object({
  applied: Type.Array(Type.String()),
  frozen: Type.Array(Type.String())
}, { additionalProperties: false })
export type OfferWriteResult = Static<typeof OfferWriteResult>

/** The absolute quantity to set on an offer, zero or more. */
export const StockWrite = Type.Object({ externalId: ExternalId, quantity: Type.Integer({ minimum: 0 }) }, {
  additionalProperties: false
})
export type StockWrite = Static<typeof StockWrite>

/**
 * The quantity to set on an offer of a marketplace that takes commands. `commandId` names this
 * logical change: a retry sends the same id, the next change another.
 */
export const QuantityChange = Type.Composite([StockWrite, Type.Object({ commandId: Type.String({ minLength: 1 }) })], {
  additionalProperties: false
})
export type QuantityChange = Static<typeof QuantityChange>

/**
 * The result of one write of a batch. `error`: only this write failed; `code` is an
 * `AdapterErrorCode` and decides, like the thrown error, what happens to its job.
 */
export const StockWriteResult = Type.Object({
  externalId: ExternalId,
  applied: Type.Array(Type.String()),
  frozen: Type.Array(Type.String()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: false }))
}, { additionalProperties: false })
export type StockWriteResult = Static<typeof StockWriteResult>

/**
 * A quantity that the marketplace accepted at first and refused later. `message` tells the operator
 * why. The refusal counts only while `quantity` is the hub's last write: it does not apply to a
 * later write.
 */
export const RefusedQuantity = Type.Object({
  externalId: ExternalId,
  quantity: Type.Integer({ minimum: 0 }),
  message: Type.String({ minLength: 1 })
}, { additionalProperties: false })
export type RefusedQuantity = Static<typeof RefusedQuantity>

/**
 * One field that the platform refused or would refuse. `pointer` is a JSON pointer into the data
 * sent, `''` for all of it.
 */
export const FieldError = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() }, {
  additionalProperties: false
})
export type FieldError = Static<typeof FieldError>

/**
 * An offer as the marketplace shows it. `status` is the hub's word, `upstreamStatus` the
 * marketplace's.
 */
export const Offer = Type.Object({
  externalId: ExternalId,
  /**
   * The seller's own id of the offer, if the platform stores one. When it is the hub's id of a
   * variant, the runtime links an unknown offer to that variant, and the offer follows its stock
   * from then on. Leave out an id that the seller cannot have set.
   */
  reference: Type.Optional(Type.String()),
  status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('INACTIVE'), Type.Literal('ENDED')]),
  upstreamStatus: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  price: Type.Optional(Money),
  quantity: Type.Optional(Type.Integer()),
  frozenFields: Type.Array(Type.String()),
  problems: Type.Array(Type.String())
}, { additionalProperties: false })
export type Offer = Static<typeof Offer>

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

/** A parcel on its way. */
export const Tracking = Type.Object({
  /** The carrier as the platform names it, or `other`. */
  carrier: Type.String({ minLength: 1 }),
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
  total: Money,
  shipping: Type.Object({
    methodId: Type.String(),
    methodName: Type.Optional(Type.String()),
    price: Money,
    cashOnDelivery: Type.Boolean(),
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
  Type.Omit(Order, ['lines']),
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
 * why the adapter wrote nothing; the job succeeds and shows it.
 */
export const WriteBack = Type.Union([
  Type.Undefined(),
  Type.Null(),
  Type.Object({ skipped: Type.String() }, { additionalProperties: false })
])
export type WriteBack = { skipped: string } | undefined

/** A parcel to hand to a carrier. */
export const NewShipment = Type.Object({
  /** The marketplace's id of the delivery method that the buyer chose. */
  methodId: Type.String(),
  recipient: Address,
  email: Type.Optional(Type.String()),
  pickupPointId: Type.Optional(Type.String()),
  /** The amount to collect from the recipient; absent for none. */
  cashOnDelivery: Type.Optional(Money),
  /** Absent when unknown. */
  weightGrams: Type.Optional(Type.Integer({ minimum: 0 })),
  /** The contents of the parcel, for people. */
  contents: Type.String()
}, { additionalProperties: false })
export type NewShipment = Static<typeof NewShipment>

export const Shipment = Type.Object({ externalId: ExternalId, tracking: Tracking }, { additionalProperties: false })
export type Shipment = Static<typeof Shipment>

/** A label as the carrier prints it. */
export const ShippingLabel = Type.Object({ mediaType: Type.String(), contentBase64: Type.String() }, {
  additionalProperties: false
})
export type ShippingLabel = Static<typeof ShippingLabel>

export const ShipmentTracking = Type.Object({
  status: Type.Union([
    Type.Literal('created'),
    Type.Literal('in-transit'),
    Type.Literal('delivered'),
    Type.Literal('cancelled'),
    Type.Literal('failed')
  ]),
  tracking: Tracking
}, { additionalProperties: false })
export type ShipmentTracking = Static<typeof ShipmentTracking>
