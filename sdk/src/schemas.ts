import { Type, type Static } from '@sinclair/typebox'

/** Id of an object on its platform. Always a string, whatever the platform sends. */
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

/** ISO 8601 with a zone. Adapters convert a platform's local times before they hand them over. */
export const Timestamp = Type.String({ minLength: 20, maxLength: 40 })

/**
 * What tells a variant from the others of its product, such as `{ name: 'Colour', value: 'red' }`.
 */
export const VariantOption = Type.Object(
  { name: Type.String({ minLength: 1 }), value: Type.String({ minLength: 1 }) },
  { additionalProperties: false }
)
export type VariantOption = Static<typeof VariantOption>

/** What is sold and stocked. A product without variants on its platform has exactly one. */
export const Variant = Type.Object({
  externalId: ExternalId,
  name: Type.Optional(Type.String()),
  sku: Type.Optional(Type.String()),
  /** EAN-13; a 12-digit UPC-A is padded with a leading zero by the adapter. */
  ean: Type.Optional(Type.String()),
  /** Gross price. */
  price: Type.Optional(Money),
  /** What tells it from the product's other variants. */
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
 * Stock of one variant. A quantity that the platform does not know is left out: unknown is never
 * zero. Negative means backorders.
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
/** A page with more than `limit` items is refused. */
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

/** How long the seller takes to hand a parcel over. `day` means working days. */
export const DispatchTime = Type.Object({
  unit: Type.Union([Type.Literal('hour'), Type.Literal('day'), Type.Literal('month')]),
  period: Type.Integer({ minimum: 0, maximum: 365 })
}, { additionalProperties: false })
export type DispatchTime = Static<typeof DispatchTime>

/** A sparse change of an offer: only the members present are written. */
export const OfferPatch = Type.Object({
  price: Type.Optional(Money),
  title: Type.Optional(Type.String({ minLength: 1 })),
  description: Type.Optional(Description)
}, { minProperties: 1, additionalProperties: false })
export type OfferPatch = Static<typeof OfferPatch>

/** What a new offer is made of. `externalId` is the key that the hub chooses (the variant id). */
export const NewOffer = Type.Object({
  externalId: ExternalId,
  title: Type.String({ minLength: 1 }),
  description: Type.Optional(Description),
  price: Money,
  quantity: Type.Integer({ minimum: 0 }),
  /**
   * As the shop and the operator gave them, perhaps none: which of them the platform can take is
   * the adapter's to say.
   */
  imageUrls: Type.Array(Type.String()),
  sku: Type.Optional(Type.String()),
  ean: Type.Optional(Type.String()),
  /** Handling time of this offer; absent: the one of the connection's config. */
  dispatchTime: Type.Optional(DispatchTime),
  /**
   * The product that this offer is a variant of, with what tells it from the others; absent for a
   * product without variants.
   */
  variantGroup: Type
    .Optional(Type.Object({ id: ExternalId, options: Type.Array(VariantOption, { minItems: 1 }) }, {
      additionalProperties: false
    })),
  publishImmediately: Type.Boolean()
}, { additionalProperties: false })
export type NewOffer = Static<typeof NewOffer>

/**
 * Result of a write to an offer: names of the fields that took effect, and of those the seller
 * froze on the marketplace.
 */
export const OfferWriteResult = Type.Object({
  applied: Type.Array(Type.String()),
  frozen: Type.Array(Type.String())
}, { additionalProperties: false })
export type OfferWriteResult = Static<typeof OfferWriteResult>

/** A quantity to be set on an offer: absolute, zero or more. */
export const StockWrite = Type.Object({ externalId: ExternalId, quantity: Type.Integer({ minimum: 0 }) }, {
  additionalProperties: false
})
export type StockWrite = Static<typeof StockWrite>

/**
 * A quantity to be set on an offer of a marketplace that takes commands. `commandId` names this
 * logical change: a retry sends the same one, the next change another.
 */
export const QuantityChange = Type.Composite([StockWrite, Type.Object({ commandId: Type.String({ minLength: 1 }) })], {
  additionalProperties: false
})
export type QuantityChange = Static<typeof QuantityChange>

/**
 * What became of one write among many. `error`: it alone failed; `code` is an `AdapterErrorCode`
 * and says, as the thrown error would, what happens to its job.
 */
export const StockWriteResult = Type.Object({
  externalId: ExternalId,
  applied: Type.Array(Type.String()),
  frozen: Type.Array(Type.String()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() }, { additionalProperties: false }))
}, { additionalProperties: false })
export type StockWriteResult = Static<typeof StockWriteResult>

/**
 * A quantity that the marketplace took and refused afterwards. `message` says why, for the
 * operator. It counts only while `quantity` is what the hub wrote last: a later write is not
 * refused.
 */
export const RefusedQuantity = Type.Object({
  externalId: ExternalId,
  quantity: Type.Integer({ minimum: 0 }),
  message: Type.String({ minLength: 1 })
}, { additionalProperties: false })
export type RefusedQuantity = Static<typeof RefusedQuantity>

/**
 * One field that the platform refused, or would. `pointer` is a JSON pointer into what was sent,
 * `''` for the whole of it.
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
   * The seller's own id of it, where the platform keeps one. When it is the hub's id of a variant,
   * the runtime links an offer that it does not know to that variant, and the offer follows its
   * stock from then on. Leave out what the seller cannot have set.
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
   * The platform's own line id: a position would change on the next read. It is unique within its
   * order and, when the adapter says `orders.keepsLineIds`, on the whole platform.
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

/** An order in full, as read from its platform. */
export const Order = Type.Object({
  externalId: ExternalId,
  /**
   * `pending`: not paid yet, nothing is done for it. `processing`: paid, or to be paid on delivery.
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
  /** Changes whenever the order does: part of the idempotency key of the job that ingests it. */
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
  /** As far as the platform knows it. */
  tracking: Type.Optional(Tracking)
}, { additionalProperties: false })
export type Order = Static<typeof Order>

/** A line of an order to be created: which variant of the destination's catalog it is. */
export const NewOrderLine = Type.Composite([
  OrderLine,
  Type.Object({ productExternalId: ExternalId, variantExternalId: ExternalId })
], { additionalProperties: false })
export type NewOrderLine = Static<typeof NewOrderLine>

/**
 * An order of a marketplace that a shop is to have. Amounts are gross and the buyer's: the shop's
 * own prices do not count.
 */
export const NewOrder = Type.Composite([
  Type.Omit(Order, ['lines']),
  Type.Object({
    lines: Type.Array(NewOrderLine, { minItems: 1 }),
    /**
     * Where it was placed. With the method of `shipping` it says which carrier of the shop is
     * meant.
     */
    source: Type.Object({ connectionId: Type.String(), platformType: Type.String() }, { additionalProperties: false })
  })
], { additionalProperties: false })
export type NewOrder = Static<typeof NewOrder>

/**
 * An order that a shop has. `problems`: it exists, and somebody has to look at it (another total,
 * an error state).
 */
export const CreatedOrder = Type.Object(
  { externalId: ExternalId, problems: Type.Optional(Type.Array(Type.String())) },
  { additionalProperties: false }
)
export type CreatedOrder = Static<typeof CreatedOrder>

/** Something happened to an order; the order itself is read in full afterwards. */
export const OrderEvent = Type.Object({
  eventId: Type.String({ minLength: 1 }),
  /** Absent: it concerns no order. The runtime acknowledges it, so that it hides no others. */
  orderExternalId: Type.Optional(ExternalId),
  occurredAt: Timestamp
}, { additionalProperties: false })
export type OrderEvent = Static<typeof OrderEvent>

/**
 * A part of a journal. `cursor`: where the next reading goes on; the runtime stores it when the
 * jobs of these events are stored. `hasMore`: it goes on reading at once. `isIncomplete`: events
 * between the cursor that was asked for and these are lost; the runtime answers by a sweep over
 * `listOrders`.
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

/** Status words the hub writes to an order on a platform. */
export type OrderStatusChange = 'processing' | 'shipped' | 'delivered' | 'cancelled'

/**
 * What became of a write that an operator may switch off in the connection's config. `skipped` says
 * why nothing was written; the job succeeds and shows it.
 */
export const WriteBack = Type.Union([
  Type.Undefined(),
  Type.Null(),
  Type.Object({ skipped: Type.String() }, { additionalProperties: false })
])
export type WriteBack = { skipped: string } | undefined

/** A parcel that a carrier is to take. */
export const NewShipment = Type.Object({
  /** The marketplace's name of the delivery method that the buyer chose. */
  methodId: Type.String(),
  recipient: Address,
  email: Type.Optional(Type.String()),
  pickupPointId: Type.Optional(Type.String()),
  /** To be collected from the recipient; absent: nothing. */
  cashOnDelivery: Type.Optional(Money),
  /** Absent: not known. */
  weightGrams: Type.Optional(Type.Integer({ minimum: 0 })),
  /** What is in it, for people. */
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
