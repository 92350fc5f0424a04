import type { Query } from '../database/database.ts'
import { publishedQuantity } from '../stock/rules.ts'
import type { ListedVariant } from './new-offer.ts'

/** An offer of a variant, which keeps the hub from listing the variant again. */
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
  select
    variants.id as "variantId", products.id as "productId",
    products.name as "productName", variants.name as "variantName", products.description,
    products.image_urls as "productImages", variants.image_urls as "variantImages",
    variants.price, variants.options, variants.sku, variants.ean,
    (
      select count(*)
      from variants as sibling
      where sibling.product_id = products.id and sibling.missing_at is null
    ) > 1 as "hasSiblings",
    stock.quantity as stock, stock.reserved
  from variants
  join products on products.id = variants.product_id
  left join stock on stock.variant_id = variants.id
  where variants.id = any($1::uuid[]) and variants.missing_at is null`

/**
 * Answers variants by id, with all that an offer is made of. Leaves out variants that the master
 * does not have any more.
 */
export async function readListed (
  query: Query,
  variantIds: readonly string[]
): Promise<ReadonlyMap<string, ListedVariant>> {
  const rows = await query<Row>(selectVariants, [variantIds])
  return new Map(rows.map(row => [row.variantId, toListed(row)]))
}

const selectIds = `
  select product_id as "productId", json_agg(id order by external_id) as ids
  from variants
  where product_id = any($1::uuid[]) and missing_at is null
  group by product_id`

/**
 * Answers the variant ids of each product, in the order of the shop's ids. Leaves out products
 * without variants.
 */
export async function variantsOf (
  query: Query,
  productIds: readonly string[]
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await query<{ productId: string, ids: string[] }>(selectIds, [productIds])
  return new Map(rows.map(({ productId, ids }) => [productId, ids]))
}

const selectExisting = `
  select id, variant_id as "variantId", status
  from offers
  where connection_id = $1
    and variant_id = any($2::uuid[])
    and status not in ('ENDED', 'FAILED')
  order by created_at desc, id`

/**
 * Answers the offers of these variants that are on sale, or will be. Ended and failed offers do not
 * count: the hub lists their variants again.
 */
export async function readExisting (
  query: Query,
  connectionId: string,
  variantIds: readonly string[]
): Promise<ReadonlyMap<string, ExistingOffer>> {
  const rows = await query<ExistingOffer>(selectExisting, [connectionId, variantIds])
  return new Map(rows.map(row => [row.variantId, row]))
}

function toListed ({ stock, reserved, ...row }: Row): ListedVariant {
  if (stock === null) return { ...row, quantity: null }
  const available = { quantity: stock, reserved: reserved ?? 0 }
  return { ...row, quantity: publishedQuantity(available, { buffer: 0, maxListed: null }) }
}
