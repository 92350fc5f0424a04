import { isOfAny } from '../connections/statements.ts'
import { prepared } from '../database/prepared.ts'

// Cursors of listings have milliseconds. With a finer time, each page would start with the last row
// of the page before, for ever.
const createdAt = "date_trunc('milliseconds', now())"

export const upsertProduct = `
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

export const upsertVariants = `
  insert into variants (
    id, product_id, external_id, name, sku, ean, price, regular_price, tax_rate, options, image_urls, is_sellable,
    created_at, updated_at
  )
  select
    id, $1, external_id, name, sku, ean, price, regular_price, tax_rate, options, image_urls, is_sellable,
    ${createdAt}, now()
  from jsonb_to_recordset($2::jsonb) as v (
    id uuid, external_id text, name text, sku text, ean text, price jsonb, regular_price jsonb, tax_rate text,
    options jsonb, image_urls jsonb, is_sellable boolean
  )
  on conflict (id) do update set
    name = excluded.name,
    sku = excluded.sku,
    ean = excluded.ean,
    price = coalesce(excluded.price, variants.price),
    regular_price = case when excluded.price is null then variants.regular_price else excluded.regular_price end,
    tax_rate = coalesce(excluded.tax_rate, variants.tax_rate),
    options = excluded.options,
    image_urls = excluded.image_urls,
    is_sellable = excluded.is_sellable,
    missing_at = null,
    updated_at = now()`

/**
 * SQL over rows of `variants` and `told`: whether a reading tells another `isSellable` than the
 * stored one. A `readAt` is that of a reading of stock: a product that was stored later has seen
 * more.
 */
export const isSwitched = `(
    variants.is_sellable <> told."isSellable"
    and (told."readAt" is null or variants.updated_at < told."readAt")
  )`

export const updateSwitched = `
  update variants set is_sellable = told."isSellable"
  from jsonb_to_recordset($1::jsonb) as told (id uuid, "isSellable" boolean, "readAt" timestamptz)
  where variants.id = told.id and ${isSwitched}`

export const insertProducts = prepared(`
  insert into products (id, connection_id, external_id, image_urls, created_at, updated_at)
  select id, connection_id, external_id, '[]', ${createdAt}, now()
  from jsonb_to_recordset($1::jsonb) as p (id uuid, connection_id uuid, external_id text)
  order by id
  on conflict do nothing
  returning id`)

export const insertVariants = prepared(`
  insert into variants (id, product_id, external_id, image_urls, created_at, updated_at)
  select id, product_id, external_id, '[]', ${createdAt}, now()
  from jsonb_to_recordset($1::jsonb) as v (id uuid, product_id uuid, external_id text)
  order by id
  on conflict do nothing
  returning id`)

export const markMissingVariants = `
  update variants set missing_at = now()
  where id = any($1::uuid[])`

export const markMissingProducts = `
  update products set missing_at = now()
  where missing_at is null
    and id in (select product_id from variants where id = any($1::uuid[]))
    and not exists (
      select from variants
      where variants.product_id = products.id and variants.missing_at is null
    )`

export const clearMissingVariants = prepared(`
  with back as (
    update variants set missing_at = null
    where id = any($1::uuid[]) and missing_at is not null
    returning product_id
  )
  update products set missing_at = null
  where missing_at is not null and id in (select product_id from back)`)

export const selectUnnamed = `
  select external_id as "externalId"
  from products
  where connection_id = $1
    and name is null
    and missing_at is null
    and created_at > now() - interval '1 day'
    and ($3::text[] is null or external_id = any($3))
  order by created_at
  limit $2`

// A hub newer than the reading of a product may lack its tax rate, and some shops tell none.
export const selectUntaxed = `
  select external_id as "externalId"
  from products
  where connection_id = $1
    and name is not null
    and missing_at is null
    and updated_at < now() - interval '1 day'
    and exists (
      select from variants
      where variants.product_id = products.id
        and variants.missing_at is null
        and variants.price is not null
        and variants.tax_rate is null
    )
  order by updated_at
  limit $2`

export const lockVariants = 'select id from variants where id = any($1::uuid[]) order by id for key share'

export const selectVariantIds = `
  select product_id as "productId", json_agg(id order by external_id) as ids
  from variants
  where product_id = any($1::uuid[]) and missing_at is null
  group by product_id`

/**
 * SQL: whether orders or offers name a variant. When its shop is deleted, such a variant stays, as
 * missing.
 */
export const isNamed = `(
    exists (select from order_lines where order_lines.variant_id = variants.id)
    or exists (select from offers where offers.variant_id = variants.id)
  )`

export const countOfConnection = `
  select count(*)::integer as count
  from products
  where connection_id = $1
    and not exists (select from variants where variants.product_id = products.id and ${isNamed})`

export const deleteVariants = `
  delete from variants
  using products
  where products.id = variants.product_id and products.connection_id = $1 and not ${isNamed}`

export const deleteProducts = `
  delete from products
  where connection_id = $1
    and not exists (select from variants where variants.product_id = products.id)`

export const markKeptVariants = `
  update variants set missing_at = now()
  from products
  where products.id = variants.product_id and products.connection_id = $1 and variants.missing_at is null`

export const markKeptProducts = 'update products set missing_at = now() where connection_id = $1 and missing_at is null'

/** SQL: the form in which names and SKUs are compared. An index takes the beginning of a text. */
export const textKey = (text: string): string => `left(lower(btrim(${text})), 200)`

/** SQL: the form in which EANs are compared: a UPC is an EAN with a zero before it. */
export const eanKey = (text: string): string => `left(ltrim(btrim(${text}), '0'), 200)`

// The last character of Unicode.
const last = 'chr(1114111)'

/**
 * SQL: whether the text in a column begins with a text. These operators compare bytes, so an index
 * of `text_pattern_ops` finds the rows, also for a statement that is planned without its values.
 */
export const beginsWith = (column: string, text: string): string =>
  `(${textKey(column)} ~>=~ ${textKey(text)} and ${textKey(column)} ~<~ (${textKey(text)} || ${last}))`

/** SQL: whether an SKU is the one in a text, in any case. Blanks alone are none. */
export const hasSku = (column: string, text: string): string =>
  `(${textKey(column)} = ${textKey(text)} and btrim(${text}) <> '')`

/** SQL: whether an EAN is the one in a text. Zeros alone are none. */
export const hasEan = (column: string, text: string): string =>
  `(${eanKey(column)} = ${eanKey(text)} and ${eanKey(text)} <> '')`

/**
 * SQL over rows of `variants` and `products`: the name of a variant for people. The shop's name of
 * a variant often begins with the product's name; it is not said twice.
 */
export const nameOfVariant = `(
    case
      when btrim(coalesce(products.name, '')) = '' then nullif(variants.name, '')
      when btrim(coalesce(variants.name, '')) = '' then products.name
      when starts_with(variants.name, products.name) then variants.name
      when not exists (
        select from variants as sibling
        where sibling.product_id = variants.product_id and sibling.id <> variants.id and sibling.missing_at is null
      ) then products.name
      else products.name || ' ' || variants.name
    end
  )`

/**
 * SQL: the ids of the variants that a text finds. It is the beginning of a name or of an SKU, a
 * whole EAN, or the shop's id of a product.
 */
export const idsFoundBy = (text: string): string => `
    select variants.id from variants where ${beginsWith('variants.sku', text)}
    union
    select variants.id from variants where ${hasEan('variants.ean', text)}
    union
    select variants.id from variants where ${beginsWith('variants.name', text)}
    union
    select variants.id
    from products
    join variants on variants.product_id = products.id
    where ${beginsWith('products.name', text)}
    union
    select variants.id
    from products
    join variants on variants.product_id = products.id
    where ${isOfAny('products.connection_id')} and products.external_id = ${text}`

export const selectNames = `
  select variants.id, ${nameOfVariant} as name, variants.sku, variants.ean
  from variants
  join products on products.id = variants.product_id
  where variants.id = any($1::uuid[])`

// Each part reads an index in its order, so that its limit takes the shortest texts first: a text
// that is the whole name comes before texts that only begin with it.
export const selectFound = `
  with found as (
    (
      select id, 'id' as "matchedBy", $2::uuid = $4::uuid as "isExact"
      from variants
      where id between $2 and $4
      limit $3
    )
    union all
    (
      select variants.id, 'externalId', true
      from products
      join variants on variants.product_id = products.id
      where ${isOfAny('products.connection_id')} and products.external_id = $1
      limit $3
    )
    union all
    (
      select id, 'sku', ${textKey('sku')} = ${textKey('$1')}
      from variants
      where ${beginsWith('sku', '$1')}
      order by ${textKey('sku')} using ~<~
      limit $3
    )
    union all
    (select id, 'ean', true from variants where ${hasEan('ean', '$1')} limit $3)
    union all
    (
      select id, 'name', ${textKey('name')} = ${textKey('$1')}
      from variants
      where ${beginsWith('name', '$1')}
      order by ${textKey('name')} using ~<~
      limit $3
    )
    union all
    (
      select variants.id, 'name', ${textKey('products.name')} = ${textKey('$1')}
      from products
      join variants on variants.product_id = products.id
      where ${beginsWith('products.name', '$1')}
      order by ${textKey('products.name')} using ~<~
      limit $3
    )
  )
  select
    found."matchedBy", found."isExact", variants.id, products.connection_id as "connectionId",
    ${nameOfVariant} as name, variants.sku, variants.ean
  from found
  join variants on variants.id = found.id
  join products on products.id = variants.product_id`

const sharedSkus = (condition: string): string => `
  select
    products.connection_id as "connectionId", min(variants.sku) as sku, count(*)::integer as count,
    min(variants.id::text) as "variantId"
  from variants
  join products on products.id = variants.product_id
  where variants.missing_at is null and ${condition}
  group by products.connection_id, ${textKey('variants.sku')}
  having count(*) > 1
  order by "connectionId", sku`

/** $1 most SKUs of each shop. */
export const selectSharedSkus = `
  select "connectionId", sku, count, "variantId"
  from (
    select shared.*, row_number() over (partition by "connectionId" order by sku) as place
    from (${sharedSkus("btrim(variants.sku) <> ''")}) as shared
  ) as placed
  where place <= $1
  order by "connectionId", sku`

/** $1 SKUs. */
export const selectSharedOf =
  sharedSkus(`${textKey('variants.sku')} in (select ${textKey('sku')} from unnest($1::text[]) as given (sku))`)

/** The products of shops `$1` with the external ids `$2`, in pairs. */
export const selectProductNames = `
  select products.connection_id as "connectionId", products.external_id as "externalId", products.name
  from unnest($1::uuid[], $2::text[]) as given (connection_id, external_id)
  join products on products.connection_id = given.connection_id and products.external_id = given.external_id
  where btrim(products.name) <> ''`
