import type { Product } from '@linker/sdk'
import type { Query, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { productIdOf, variantIdOf } from './identity.ts'

// Cursors of listings have milliseconds. With a finer time, each page would start with the last row
// of the page before, for ever.
const createdAt = "date_trunc('milliseconds', now())"

const upsertProduct = `
  insert into products (
    id, connection_id, external_id, name, description, is_active, image_urls, created_at, updated_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, ${createdAt}, now())
  on conflict (id) do update set
    name = excluded.name,
    description = excluded.description,
    is_active = excluded.is_active,
    image_urls = excluded.image_urls,
    missing_at = null,
    updated_at = now()`

const upsertVariants = `
  insert into variants (
    id, product_id, external_id, name, sku, ean, price, options, image_urls, created_at, updated_at
  )
  select id, $1, external_id, name, sku, ean, price, options, image_urls, ${createdAt}, now()
  from jsonb_to_recordset($2::jsonb) as v (
    id uuid, external_id text, name text, sku text, ean text, price jsonb, options jsonb, image_urls jsonb
  )
  on conflict (id) do update set
    name = excluded.name,
    sku = excluded.sku,
    ean = excluded.ean,
    price = coalesce(excluded.price, variants.price),
    options = excluded.options,
    image_urls = excluded.image_urls,
    missing_at = null,
    updated_at = now()`

/**
 * Writes the products of a master shop. The last reading wins and leaves the offers alone
 * (specification, section 1.6).
 */
export async function recordProducts (
  transaction: Pick<Transaction, 'query'>,
  connectionId: string,
  products: readonly Product[]
): Promise<void> {
  for (const product of JSON.parse(toStorableJson(products)) as Product[]) {
    const productId = productIdOf(connectionId, product.externalId)
    await transaction.query(upsertProduct, [
      productId,
      connectionId,
      product.externalId,
      product.name,
      product.description ?? null,
      product.isActive,
      JSON.stringify(product.imageUrls ?? [])
    ])
    // A statement must not write a row twice. When a variant is named twice, the last one counts.
    const idOf = (externalId: string): string => variantIdOf(connectionId, product.externalId, externalId)
    const variants = new Map(product.variants.map(variant => [idOf(variant.externalId), variant]))
    const rows = [...variants].map(([id, variant]) => ({
      id,
      external_id: variant.externalId,
      name: variant.name ?? null,
      sku: variant.sku ?? null,
      ean: variant.ean ?? null,
      price: variant.price ?? null,
      options: variant.options ?? [],
      image_urls: variant.imageUrls ?? []
    }))
    await transaction.query(upsertVariants, [productId, JSON.stringify(rows)])
  }
}

const insertProducts = `
  insert into products (id, connection_id, external_id, image_urls, created_at, updated_at)
  select id, $1, external_id, '[]', ${createdAt}, now()
  from jsonb_to_recordset($2::jsonb) as p (id uuid, external_id text)
  on conflict do nothing
  returning external_id`

const insertVariants = `
  insert into variants (id, product_id, external_id, image_urls, created_at, updated_at)
  select id, product_id, external_id, '[]', ${createdAt}, now()
  from jsonb_to_recordset($1::jsonb) as v (id uuid, product_id uuid, external_id text)
  on conflict do nothing
  returning id`

/**
 * Inserts products and variants that a stock reading names and the catalog does not know yet.
 * Answers the external ids of new products and the ids of new variants.
 */
export async function recordReferences (
  transaction: Pick<Transaction, 'query'>,
  connectionId: string,
  references: readonly { productExternalId: string, variantExternalId: string }[]
): Promise<{ newProducts: string[], newVariants: ReadonlySet<string> }> {
  const products = [...new Set(references.map(reference => reference.productExternalId))].map(externalId => ({
    id: productIdOf(connectionId, externalId),
    external_id: externalId
  }))
  const variants = references.map(reference => ({
    id: variantIdOf(connectionId, reference.productExternalId, reference.variantExternalId),
    product_id: productIdOf(connectionId, reference.productExternalId),
    external_id: reference.variantExternalId
  }))
  const createdProducts = await transaction.query<{ external_id: string }>(
    prepared(insertProducts),
    [connectionId, JSON.stringify(products)]
  )
  const createdVariants = await transaction.query<{ id: string }>(
    prepared(insertVariants),
    [JSON.stringify(variants)]
  )
  return {
    newProducts: createdProducts.map(row => row.external_id),
    newVariants: new Set(createdVariants.map(row => row.id))
  }
}

const markVariants = `
  update variants set missing_at = now()
  where id = any($1::uuid[])`

const markProducts = `
  update products set missing_at = now()
  where missing_at is null
    and id in (select product_id from variants where id = any($1::uuid[]))
    and not exists (
      select from variants
      where variants.product_id = products.id and variants.missing_at is null
    )`

/** Notes that the master does not have these variants any more, nor products without another. */
export async function markMissing (
  { query }: Pick<Transaction, 'query'>,
  variantIds: readonly string[]
): Promise<void> {
  await query(markVariants, [variantIds])
  await query(markProducts, [variantIds])
}

const clearMissingAt = `
  with back as (
    update variants set missing_at = null
    where id = any($1::uuid[]) and missing_at is not null
    returning product_id
  )
  update products set missing_at = null
  where missing_at is not null and id in (select product_id from back)`

/** Notes that the master has these variants and their products again. */
export async function clearMissing (
  transaction: Pick<Transaction, 'query'>,
  variantIds: readonly string[]
): Promise<void> {
  await transaction.query(prepared(clearMissingAt), [variantIds])
}

const selectUnnamed = `
  select external_id as "externalId"
  from products
  where connection_id = $1
    and name is null
    and missing_at is null
    and created_at > now() - interval '1 day'
    and ($3::text[] is null or external_id = any($3))
  order by created_at
  limit $2`

/**
 * Answers the external ids of products without a name that came with a stock reading of the last
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
