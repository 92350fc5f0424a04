import { Type, type Static } from '@sinclair/typebox'
import { TaxRate, VariantOption } from './product.ts'
import { ExternalId, Money } from './values.ts'

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
  unit: Type.Union([Type.Literal('hour'), Type.Literal('day'), Type.Literal('month')], {
    title: 'Unit of the handling time'
  }),
  period: Type.Integer({ minimum: 0, maximum: 365, title: 'Number of units' })
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
  /** The tax that the price includes, as the shop says it. Absent: the shop did not say. */
  taxRate: Type.Optional(TaxRate),
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

/**
 * The absolute quantity to set on an offer, zero or more. `commandId` names this logical change: a
 * retry sends the same id, the next change another.
 */
export const QuantityChange = Type.Object({
  externalId: ExternalId,
  quantity: Type.Integer({ minimum: 0 }),
  commandId: Type.String({ minLength: 1 })
}, { additionalProperties: false })
export type QuantityChange = Static<typeof QuantityChange>

/**
 * The result of one change of a batch. `error`: only this change failed; `code` is an
 * `AdapterErrorCode` and decides, like the thrown error, what happens to its job. `retryAfterMs`
 * goes with the code of a `WriteUnderWayError` or of a `RateLimitedError`.
 */
export const QuantityChangeResult = Type.Object({
  externalId: ExternalId,
  applied: Type.Array(Type.String()),
  frozen: Type.Array(Type.String()),
  error: Type.Optional(Type.Object({
    code: Type.String(),
    message: Type.String(),
    retryAfterMs: Type.Optional(Type.Number({ minimum: 0 }))
  }, { additionalProperties: false }))
}, { additionalProperties: false })
export type QuantityChangeResult = Static<typeof QuantityChangeResult>

/** @deprecated Use `QuantityChange`, which also has the `commandId`. */
export const StockWrite = Type.Omit(QuantityChange, ['commandId'], { additionalProperties: false })
/** @deprecated Use `QuantityChange`, which also has the `commandId`. */
export type StockWrite = Static<typeof StockWrite>

/** @deprecated Use `QuantityChangeResult`. */
export const StockWriteResult = QuantityChangeResult
/** @deprecated Use `QuantityChangeResult`. */
export type StockWriteResult = QuantityChangeResult

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
  /**
   * The stock keeping unit that the platform shows with the offer. For an offer that it does not
   * know, the runtime proposes the variants with this SKU; a person decides.
   */
  sku: Type.Optional(Type.String()),
  /**
   * The product code (EAN, UPC or GTIN: 8 to 14 digits) that the platform shows with the offer. The
   * runtime also proposes variants by it, and takes a text that is no such code for a doubtful
   * match.
   */
  ean: Type.Optional(Type.String()),
  status: Type.Union([Type.Literal('ACTIVE'), Type.Literal('INACTIVE'), Type.Literal('ENDED')]),
  upstreamStatus: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  price: Type.Optional(Money),
  quantity: Type.Optional(Type.Integer()),
  frozenFields: Type.Array(Type.String()),
  problems: Type.Array(Type.String())
}, { additionalProperties: false })
export type Offer = Static<typeof Offer>
