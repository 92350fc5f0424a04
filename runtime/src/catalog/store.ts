import type { Product as ShopProduct } from '@linker/sdk'
import type { Database, Query } from '../database/database.ts'
import { VariantNotFoundError } from '../errors.ts'
import { isAfter, type Position } from '../http/paging.ts'
import { idsBeginningWith } from '../text-patterns.ts'
import { Product, Variant } from './entity.ts'
import {
  clearMissingVariants,
  insertProducts,
  insertVariants,
  lockVariants,
  markMissingProducts,
  markMissingVariants,
  selectFound,
  selectNames,
  selectProductNames,
  selectSharedOf,
  selectSharedSkus,
  selectUnnamed,
  selectUntaxed,
  selectVariantIds,
  updateSwitched,
  upsertProduct,
  upsertVariants
} from './statements.ts'

type Orm = Pick<Database, 'orm'>

/** Returns at most `limit` products in the order in which they became known. */
export async function listProducts (
  { orm }: Orm,
  filter: { connectionId?: string, externalId?: string },
  { limit, after }: { limit: number, after: Position | undefined }
): Promise<Product[]> {
  return orm.em.fork().find(
    Product,
    { ...filter, ...isAfter(after) },
    { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], limit }
  )
}

export async function findProduct ({ orm }: Orm, id: string): Promise<Product | null> {
  return orm.em.fork().findOne(Product, { id })
}

/** Returns the variants of products, ordered by external id. */
export async function listVariants ({ orm }: Orm, productIds: readonly string[]): Promise<Variant[]> {
  return orm.em.fork().find(Variant, { productId: { $in: [...productIds] } }, { orderBy: { externalId: 'asc' } })
}

/**
 * Returns the variant ids of each product, in the order of the shop's ids. Leaves out missing
 * variants, and products without variants.
 */
export async function listVariantIds (
  query: Query,
  productIds: readonly string[]
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await query<{ productId: string, ids: string[] }>(selectVariantIds, [productIds])
  return new Map(rows.map(({ productId, ids }) => [productId, ids]))
}

export async function findVariant ({ orm }: Orm, id: string): Promise<Variant | null> {
  return orm.em.fork().findOne(Variant, { id })
}

/**
 * Keeps variants from being removed until the transaction ends. Throws when one is gone: its shop
 * may have been deleted a moment ago.
 */
export async function requireVariants (query: Query, ids: readonly string[]): Promise<void> {
  const rows = await query<{ id: string }>(lockVariants, [ids])
  const present = new Set(rows.map(({ id }) => id))
  const gone = ids.find(id => !present.has(id.toLowerCase()))
  if (gone !== undefined) throw new VariantNotFoundError(gone)
}

/** Writes a product as its master shop shows it. */
export async function storeProduct (
  query: Query,
  { id, connectionId }: { id: string, connectionId: string },
  { externalId, name, description, isActive, imageUrls }: ShopProduct
): Promise<void> {
  await query(upsertProduct, [
    id,
    connectionId,
    externalId,
    name,
    description ?? null,
    isActive,
    JSON.stringify(imageUrls ?? [])
  ])
}

/** A variant as its shop tells it, completed. */
export type ToldVariant = ShopProduct['variants'][number] & { sellable: boolean }

/** Writes variants of a product by their ids. A price or tax that the shop does not tell stays. */
export async function storeVariants (
  query: Query,
  productId: string,
  variants: ReadonlyMap<string, ToldVariant>
): Promise<void> {
  const rows = Array.from(variants, ([id, variant]) => ({
    id,
    external_id: variant.externalId,
    name: variant.name ?? null,
    sku: variant.sku ?? null,
    ean: variant.ean ?? null,
    price: variant.price ?? null,
    regular_price: variant.regularPrice ?? null,
    tax_rate: variant.taxRate ?? null,
    options: variant.options ?? [],
    image_urls: variant.imageUrls ?? [],
    is_sellable: variant.sellable
  }))
  await query(upsertVariants, [productId, JSON.stringify(rows)])
}

/** Whether the master sells a variant, as a reading told it. */
export interface ToldSellable {
  id: string
  isSellable: boolean
  /** The start of the reading, of one of stock. */
  readAt?: string
}

/** Stores that the master has switched variants on or off. */
export async function switchVariants (query: Query, told: readonly ToldSellable[]): Promise<void> {
  await query(updateSwitched, [JSON.stringify(told)])
}

/** Inserts products that the catalog does not know yet, and returns their ids. */
export async function addProducts (
  query: Query,
  products: readonly { id: string, connection_id: string, external_id: string }[]
): Promise<string[]> {
  const added = await query<{ id: string }>(insertProducts, [JSON.stringify(products)])
  return added.map(({ id }) => id)
}

/** Inserts variants that the catalog does not know yet, and returns their ids. */
export async function addVariants (
  query: Query,
  variants: readonly { id: string, product_id: string, external_id: string }[]
): Promise<string[]> {
  const added = await query<{ id: string }>(insertVariants, [JSON.stringify(variants)])
  return added.map(({ id }) => id)
}

/**
 * Notes that the master no longer has these variants, nor the products that have no other variant.
 */
export async function markMissing (query: Query, variantIds: readonly string[]): Promise<void> {
  await query(markMissingVariants, [variantIds])
  await query(markMissingProducts, [variantIds])
}

/** Notes that the master has these variants and their products again. */
export async function clearMissing (query: Query, variantIds: readonly string[]): Promise<void> {
  await query(clearMissingVariants, [variantIds])
}

/**
 * Returns the external ids of products without a name that came with a stock reading of the last
 * day; only those of `among`, when given. Skips older ones: the hub has asked for them in vain.
 */
export async function listUnnamed (
  query: Query,
  connectionId: string,
  limit: number,
  among?: readonly string[]
): Promise<string[]> {
  const rows = await query<{ externalId: string }>(selectUnnamed, [connectionId, limit, among ?? null])
  return rows.map(({ externalId }) => externalId)
}

/**
 * Returns the external ids of products with a price and without a tax rate that were not read for
 * a day, those first that were read longest ago.
 */
export async function listUntaxed (query: Query, connectionId: string, limit: number): Promise<string[]> {
  const rows = await query<{ externalId: string }>(selectUntaxed, [connectionId, limit])
  return rows.map(({ externalId }) => externalId)
}

/** The names by which people know a variant. */
export interface VariantName {
  id: string
  /** The name of the product, with that of the variant when the product has others. */
  name: string | null
  sku: string | null
  ean: string | null
}

/** Returns the names of variants, by their ids. */
export async function readNames (
  query: Query,
  variantIds: readonly string[]
): Promise<ReadonlyMap<string, VariantName>> {
  const rows = await query<VariantName>(selectNames, [[...new Set(variantIds)]])
  return new Map(rows.map(row => [row.id, row]))
}

/** A variant that a text found. */
export interface FoundVariant extends VariantName {
  connectionId: string
  matchedBy: 'id' | 'externalId' | 'sku' | 'ean' | 'name'
  /** Whether the text is the whole value, and not only its beginning. */
  isExact: boolean
}

/** Finds variants by a text. A variant that several of its values found comes several times. */
export async function searchVariants (query: Query, text: string, limit: number): Promise<FoundVariant[]> {
  const { first = null, last = null } = idsBeginningWith(text) ?? {}
  return query<FoundVariant>(selectFound, [text, first, limit, last])
}

/** A reference (SKU) that several variants of one shop have. */
export interface SharedSku {
  connectionId: string
  sku: string
  /** How many variants have it. */
  count: number
  /** One of them. */
  variantId: string
}

/** Returns the references that several variants of one shop have, at most `limit` of each shop. */
export async function listSharedSkus (query: Query, limit: number): Promise<SharedSku[]> {
  return query<SharedSku>(selectSharedSkus, [limit])
}

/** Returns those of some references that several variants of one shop have. */
export async function findSharedSkus (query: Query, skus: readonly string[]): Promise<SharedSku[]> {
  return query<SharedSku>(selectSharedOf, [skus])
}

/** Names a product in its shop. */
export interface ProductKey {
  connectionId: string
  externalId: string
}

/** Returns the names of those products that the hub knows. */
export async function nameProducts (
  query: Query,
  products: readonly ProductKey[]
): Promise<(ProductKey & { name: string })[]> {
  if (products.length === 0) return []
  return query<ProductKey & { name: string }>(selectProductNames, [
    products.map(({ connectionId }) => connectionId),
    products.map(({ externalId }) => externalId)
  ])
}
