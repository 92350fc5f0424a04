import { idsFoundBy, isNamed, nameOfVariant } from '../catalog/statements.ts'
import { isoOf } from '../database/iso-of.ts'
import { prepared } from '../database/prepared.ts'

/**
 * SQL: whether the reading behind a row of stock began no later than this one, so that this one may
 * replace it. Readings overtake each other; of two, the one that began later has seen more.
 */
export function isReadBefore (readAt: string): string {
  // A future time comes from a server whose clock was ahead: it would refuse readings until then.
  return `(stock.read_at <= ${readAt} or stock.read_at > clock_timestamp())`
}

export const upsertStock = prepared(`
  insert into stock (variant_id, quantity, version, updated_at, read_at)
  select id, quantity, 1, now(), "readAt"
  from jsonb_to_recordset($1::jsonb) as l (id uuid, quantity integer, "readAt" timestamptz)
  order by id
  on conflict (variant_id) do update set
    quantity = excluded.quantity,
    version = stock.version + case when stock.quantity = excluded.quantity then 0 else 1 end,
    updated_at = case when stock.quantity = excluded.quantity then stock.updated_at else now() end,
    read_at = excluded.read_at
  where ${isReadBefore('excluded.read_at')}
  returning variant_id as "variantId", version`)

export const updateReserved = `
  with change as (
    select id, by
    from jsonb_to_recordset($1::jsonb) as c (id uuid, by integer)
    where by <> 0
  ),
  locked as (
    select variant_id
    from stock
    where variant_id in (select id from change)
    order by variant_id
    for update
  )
  update stock set
    reserved = greatest(0, reserved + change.by),
    version = version + 1,
    updated_at = now()
  from change
  join locked on locked.variant_id = change.id
  where stock.variant_id = change.id
  returning stock.variant_id as "variantId", stock.version`

export const updateSold = `
  with sold as (
    select id, by from jsonb_to_recordset($1::jsonb) as s (id uuid, by integer)
  ),
  locked as (
    select variant_id
    from stock
    where variant_id in (select id from sold)
    order by variant_id
    for update
  )
  update stock set
    quantity = quantity - sold.by,
    reserved = greatest(0, reserved - sold.by),
    updated_at = now(),
    read_at = greatest(read_at, now())
  from sold
  join locked on locked.variant_id = sold.id
  where stock.variant_id = sold.id`

export const updateUnread = `
  with left_over as (
    select variant_id
    from stock
    where variant_id = any($1::uuid[]) and read_at < $2
    order by variant_id
    for update
  )
  update stock set read_at = $2
  from left_over
  where stock.variant_id = left_over.variant_id
  returning stock.variant_id as id`

export const updateToZero = `
  update stock set quantity = 0, version = version + 1, updated_at = now()
  where variant_id = any($1::uuid[]) and quantity <> 0
  returning variant_id as "variantId", version`

/** SQL: `publishedQuantity` over rows of `stock` and `offers`; a test compares the two. */
export const publishedQuantitySql =
  'least(offers.max_listed, greatest(0, stock.quantity::bigint - stock.reserved - offers.buffer))::integer'

const followsStock = "offers.status not in ('ENDED', 'FAILED')"

/** SQL: whether an offer was not written with its quantity, or does not show what was written. */
export const offerDrifts = `${followsStock} and (
  offers.quantity is distinct from ${publishedQuantitySql}
  or (offers.upstream_quantity <> offers.quantity and not offers.frozen_fields ? 'stock')
)`

/** SQL: whether a variant has such an offer. */
export const isDrifting = `
  exists (
    select from offers
    where offers.variant_id = variants.id and ${offerDrifts}
  )`

/** SQL: whether the connection is the master of a variant, or a marketplace that offers it. */
export function isOn (connectionId: string): string {
  return `(
    products.connection_id = ${connectionId}
    or exists (
      select from offers
      where offers.variant_id = variants.id and offers.connection_id = ${connectionId}
    )
  )`
}

/** SQL: whether a text finds a variant. */
export const isFoundBy = (text: string): string => `variants.id in (${idsFoundBy(text)})`

const offersAsJson = `
  select jsonb_agg(
    jsonb_build_object(
      'offerId', id,
      'connectionId', connection_id,
      'quantity', quantity,
      'upstreamQuantity', upstream_quantity,
      'buffer', buffer,
      'maxListed', max_listed,
      'frozenFields', frozen_fields
    )
    order by id
  )
  from offers
  where offers.variant_id = variants.id`

export const selectStock = `
  select
    variants.id, ${isoOf('variants.created_at')} as "createdAt",
    ${nameOfVariant} as name, variants.sku, variants.ean,
    stock.quantity, stock.reserved, stock.version,
    ${isoOf('variants.missing_at')} as "missingSince", ${isoOf('stock.updated_at')} as "updatedAt",
    coalesce((${offersAsJson}), '[]') as offers
  from variants
  join stock on stock.variant_id = variants.id
  join products on products.id = variants.product_id`

const isOfConnection = `
  stock.variant_id = variants.id
    and products.id = variants.product_id
    and products.connection_id = $1`

export const countOfConnection = `
  select count(*)::integer as count
  from stock, variants, products
  where ${isOfConnection} and not ${isNamed}`

export const deleteOfConnection = `
  delete from stock
  using variants, products
  where ${isOfConnection} and not ${isNamed}`

export const clearKept = `
  update stock set quantity = 0, version = stock.version + 1, updated_at = now()
  from variants, products
  where ${isOfConnection} and stock.quantity <> 0`
