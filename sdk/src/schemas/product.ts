import { Type, type Static } from '@sinclair/typebox'
import { ExternalId, Money, Timestamp } from './values.ts'

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
 * The tax that a gross price includes, in percent: `23` or `5.5`. Leave it out when it is unknown:
 * unknown is not untaxed. The runtime gives the rate of a variant to its new offers.
 */
export const TaxRate = Type.String({ pattern: '^(?:100|[0-9]{1,2}(?:\\.[0-9]{1,9})?)$' })
export type TaxRate = Static<typeof TaxRate>

/**
 * The unit that is sold and stocked. A product without variants on its platform has exactly one.
 */
export const Variant = Type.Object({
  externalId: ExternalId,
  name: Type.Optional(Type.String()),
  sku: Type.Optional(Type.String()),
  /** EAN-13; the adapter pads a 12-digit UPC-A with a leading zero. */
  ean: Type.Optional(Type.String()),
  /** Gross price that a buyer pays in the shop today, its promotions included. */
  price: Type.Optional(Money),
  /**
   * Gross price without the promotion of today, at least `price`. The runtime shows it beside
   * `price` and never sends it to a marketplace. Leave it out when there is no promotion.
   */
  regularPrice: Type.Optional(Money),
  taxRate: Type.Optional(TaxRate),
  /** The properties that distinguish it from the product's other variants. */
  options: Type.Optional(Type.Array(VariantOption)),
  imageUrls: Type.Optional(Type.Array(Type.String())),
  /**
   * Whether the shop sells it, whatever its stock. While it is `false`, the runtime wants quantity
   * 0 of its offers and leaves the stock as it is. If absent, `isActive` of its product counts.
   */
  sellable: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
export type Variant = Static<typeof Variant>

export const Product = Type.Object({
  externalId: ExternalId,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  /**
   * Whether the shop shows and sells it. While it is `false`, the offers of its variants show 0,
   * except those of a variant that says `sellable` itself.
   */
  isActive: Type.Boolean(),
  variants: Type.Array(Variant, { minItems: 1 }),
  imageUrls: Type.Optional(Type.Array(Type.String())),
  updatedAt: Type.Optional(Timestamp)
}, { additionalProperties: false })
export type Product = Static<typeof Product>

/**
 * Stock of one variant. Leave out a level whose quantity the platform does not know: unknown is
 * never zero. A negative quantity means backorders.
 */
export const StockLevel = Type.Object({
  productExternalId: ExternalId,
  variantExternalId: ExternalId,
  quantity: Type.Integer(),
  /**
   * `false`: the platform does not count this stock, because it can always deliver. The hub ignores
   * `quantity` and `buffer`: offers show their `maxListed`, or 100 pieces without one. Default
   * `true`.
   */
  isCounted: Type.Optional(Type.Boolean()),
  /**
   * `sellable` of the variant, if reading the stock shows it: `false` while the shop has switched
   * it off. The quantity is that of the stock all the same. A sweep then notices a switch whose
   * event was lost. If absent, the last reading of the product counts.
   */
  sellable: Type.Optional(Type.Boolean()),
  /**
   * The platform's id of a stock that several variants sell from, on this connection. All its
   * levels have the same `quantity`. An order of one of the variants, and a new quantity of one of
   * them, changes what the offers of all of them show. If absent, the stock is the variant's own.
   */
  sharedStockId: Type.Optional(ExternalId)
}, { additionalProperties: false })
export type StockLevel = Static<typeof StockLevel>
