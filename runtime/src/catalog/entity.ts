import type { Money, VariantOption } from '@linker/sdk'
import { defineEntity, p, type InferEntity } from '@mikro-orm/core'

/**
 * A product of a master shop. Its id is derived from (connection, external id), so reading it twice
 * writes one row.
 */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    id: p.uuid().primary(),
    connectionId: p.uuid(),
    externalId: p.text(),
    name: p.text().nullable(),
    description: p.text().nullable(),
    isActive: p.boolean().nullable(),
    imageUrls: p.json<string[]>(),
    /** Since when a complete sweep does not see it in the shop any more. */
    missingAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Product = InferEntity<typeof Product>

/**
 * A variant of a product: the unit of stock and of offers. Its id is the external id of its offers
 * on marketplaces that let the hub choose one.
 */
export const Variant = defineEntity({
  name: 'Variant',
  tableName: 'variants',
  properties: {
    id: p.uuid().primary(),
    productId: p.uuid(),
    externalId: p.text(),
    name: p.text().nullable(),
    sku: p.text().nullable(),
    ean: p.text().nullable(),
    /** The price today, with promotions. */
    price: p.json<Money>().nullable(),
    /** The price without the promotion of today. Null: there is none, or the shop does not say. */
    regularPrice: p.json<Money>().nullable(),
    /** The tax that its price includes, in percent. */
    taxRate: p.text().nullable(),
    /** The options that distinguish it from the product's other variants. */
    options: p.json<VariantOption[]>(),
    imageUrls: p.json<string[]>(),
    /** Whether the shop sells it, whatever its stock. */
    isSellable: p.boolean(),
    /** Since when a complete sweep does not see it in the shop any more. */
    missingAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime()
  }
})
export type Variant = InferEntity<typeof Variant>
