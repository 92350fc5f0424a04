import { Type, type Static } from '@sinclair/typebox'

/** Id of an object on its platform. Always a string, whatever the platform sends. */
export const ExternalId = Type.String({ minLength: 1, maxLength: 1023 })

/** `amount` is a decimal string with a dot (`"119.99"`), `currency` an ISO 4217 code. Never a float, never minor units. */
export const Money = Type.Object({
  amount: Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,6})?$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' })
}, { additionalProperties: false })
export type Money = Static<typeof Money>

/** ISO 8601 with a zone. Adapters convert a platform's local times before they hand them over. */
export const Timestamp = Type.String({ minLength: 20, maxLength: 40 })

/** What is sold and stocked. A product without variants on its platform has exactly one. */
export const Variant = Type.Object({
  externalId: ExternalId,
  name: Type.Optional(Type.String()),
  sku: Type.Optional(Type.String()),
  /** EAN-13; a 12-digit UPC-A is padded with a leading zero by the adapter. */
  ean: Type.Optional(Type.String()),
  /** Gross price. */
  price: Type.Optional(Money),
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

/** Stock of one variant. A quantity that the platform does not know is left out: unknown is never zero. Negative means backorders. */
export const StockLevel = Type.Object({
  productExternalId: ExternalId,
  variantExternalId: ExternalId,
  quantity: Type.Integer()
}, { additionalProperties: false })
export type StockLevel = Static<typeof StockLevel>

/** One page of a listing. No `nextCursor` means the end. Cursors are opaque to the runtime. */
export interface Page<Item> { items: Item[], nextCursor?: string }
export interface PageRequest { cursor?: string, limit: number }

/** Marketplace description: sections of one or two items (specification, section 2.7). */
export const Description = Type.Object({
  sections: Type.Array(Type.Object({
    items: Type.Array(Type.Object({ type: Type.Literal('TEXT'), content: Type.String() }, { additionalProperties: false }), { minItems: 1, maxItems: 2 })
  }, { additionalProperties: false }))
}, { additionalProperties: false })
export type Description = Static<typeof Description>

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
  imageUrls: Type.Array(Type.String(), { minItems: 1 }),
  sku: Type.Optional(Type.String()),
  ean: Type.Optional(Type.String()),
  publishImmediately: Type.Boolean()
}, { additionalProperties: false })
export type NewOffer = Static<typeof NewOffer>

/** Result of a write to an offer: names of the fields that took effect, and of those the seller froze on the marketplace. */
export const OfferWriteResult = Type.Object({
  applied: Type.Array(Type.String()),
  frozen: Type.Array(Type.String())
}, { additionalProperties: false })
export type OfferWriteResult = Static<typeof OfferWriteResult>

/** An offer as the marketplace shows it. `status` is the hub's word, `upstreamStatus` the marketplace's. */
export const Offer = Type.Object({
  externalId: ExternalId,
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
  /** The platform's own line id: a position would change on the next read. */
  externalId: ExternalId,
  offerExternalId: Type.Optional(ExternalId),
  name: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  /** Gross, for one unit. */
  unitPrice: Money
}, { additionalProperties: false })
export type OrderLine = Static<typeof OrderLine>

/** An order in full, as read from its platform. */
export const Order = Type.Object({
  externalId: ExternalId,
  status: Type.Union([Type.Literal('pending'), Type.Literal('processing'), Type.Literal('shipped'), Type.Literal('cancelled'), Type.Literal('returned')]),
  upstreamStatus: Type.Optional(Type.String()),
  /** Changes whenever the order does: part of the idempotency key of the job that ingests it. */
  revision: Type.String(),
  placedAt: Timestamp,
  buyer: Type.Object({ externalId: Type.Optional(ExternalId), email: Type.Optional(Type.String()) }, { additionalProperties: false }),
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
  comment: Type.Optional(Type.String())
}, { additionalProperties: false })
export type Order = Static<typeof Order>

/** Something happened to an order; the order itself is read in full afterwards. */
export const OrderEvent = Type.Object({
  eventId: Type.String({ minLength: 1 }),
  orderExternalId: ExternalId,
  occurredAt: Timestamp
}, { additionalProperties: false })
export type OrderEvent = Static<typeof OrderEvent>

export const DeliveryMethod = Type.Object({ id: Type.String(), name: Type.String(), cashOnDelivery: Type.Optional(Type.Boolean()) }, { additionalProperties: false })
export type DeliveryMethod = Static<typeof DeliveryMethod>

/** Status words the hub writes to an order on a platform. */
export type OrderStatusChange = 'processing' | 'shipped' | 'delivered' | 'cancelled'
export interface Tracking { carrier: string, number: string, url?: string }
