import type { Query } from '../database/database.ts'
import { publishedQuantity } from '../stock/rules.ts'
import type { ListedVariant } from './new-offer.ts'

/** An offer of a variant that stands in the way of another. */
export interface ExistingOffer {
  id: string
  variantId: string
  status: string
}

type Row = Omit<ListedVariant, 'quantity' | 'productId'> & {
  productId: string,
  stock: number | null,
  reserved: number | null
}

const selectVariants = `
  select variants.id as "variantId", products.id as "productId", products.name as "productName", variants.name as "variantName", products.description,
    products.image_urls as "productImages", variants.image_urls as "variantImages", variants.price, variants.options, variants.sku, variants.ean,
    (select count(*) from variants as sibling where sibling.product_id = products.id and sibling.missing_at is null) > 1 as "hasSiblings",
    stock.quantity as stock, stock.reserved
  from variants join products on products.id = variants.product_id left join stock on stock.variant_id = variants.id`

/**
 * Variants with all that an offer of them is made of, by id. Those that the master does not have
 * any more are left out.
 */
export async function readListed (
  query: Query,
  variantIds: readonly string[]
): Promise<ReadonlyMap<string, ListedVariant>> {
  const rows = await query<Row>(
    `${selectVariants} where variants.id = any($1::uuid[]) and variants.missing_at is null`,
    [variantIds]
  )
  return new Map(rows.map(row => [row.variantId, toListed(row)]))
}

/**
 * Ids of the variants of products, by product, in the order of the shop's ids. Products without any
 * are left out.
 */
export async function variantsOf (
  query: Query,
  productIds: readonly string[]
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await query<{ productId: string, ids: string[] }>(
    `
    select product_id as "productId", json_agg(id order by external_id) as ids from variants
    where product_id = any($1::uuid[]) and missing_at is null group by product_id`,
    [productIds]
  )
  return new Map(rows.map(({ productId, ids }) => [productId, ids]))
}

/**
 * Offers of these variants on a connection which can be sold, or will be. One that ended or failed
 * is listed again.
 */
export async function readExisting (
  query: Query,
  connectionId: string,
  variantIds: readonly string[]
): Promise<ReadonlyMap<string, ExistingOffer>> {
  const rows = await query<ExistingOffer>(
    `
    select id, variant_id as "variantId", status from offers
    where connection_id = $1 and variant_id = any($2::uuid[]) and status not in ('ENDED', 'FAILED') order by created_at desc, id`,
    [connectionId, variantIds]
  )
  return new Map(rows.map(row => [row.variantId, row]))
}

function toListed ({ stock, reserved, ...row }: Row): ListedVariant {
  return {
    ...row,
    quantity: stock === null
      ? null
      : publishedQuantity({ quantity: stock, reserved: reserved ?? 0 }, { buffer: 0, maxListed: null })
  }
}
