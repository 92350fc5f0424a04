import { isoOf } from '../../database/iso-of.ts'
import { reservingSql } from '../status.ts'

// The order of the keys keeps two readings from waiting for each other.
export const lockLineIds = `
  select pg_advisory_xact_lock(key)
  from (
    select distinct hashtextextended($1::text || ' ' || line, 0) as key
    from unnest($2::text[]) as line
    order by key
  ) as keys`

export const selectLines = `
  select
    line.external_id as "externalId", line.offer_external_id as "offerExternalId",
    line.quantity, line.variant_id as "variantId",
    variants.external_id as "variantExternalId",
    products.external_id as "productExternalId", products.connection_id as "masterId"
  from order_lines as line
  left join variants on variants.id = line.variant_id
  left join products on products.id = variants.product_id
  where line.order_id = $1
  order by line.external_id`

export const selectLinesOfOrders = `
  select
    order_id as "orderId", external_id as "externalId", offer_external_id as "offerExternalId", quantity
  from order_lines
  where order_id = any($1::uuid[])
  order by external_id`

export const selectAnyUnmapped =
  'select external_id from order_lines where order_id = $1 and variant_id is null limit 1'

export const selectUnmapped = `
  select external_id as "externalId", offer_external_id as "offerExternalId"
  from order_lines
  where order_id = $1 and variant_id is null
  order by external_id
  limit 20`

const linesInJson =
  'jsonb_to_recordset($2::jsonb) as line ("externalId" text, "offerExternalId" text, quantity integer)'

// `$3`: the shop has the order, so the pieces of its lines stay known when a line changes.
export const upsertLines = `
  insert into order_lines (order_id, external_id, offer_external_id, quantity, at_shop)
  select $1, "externalId", "offerExternalId", quantity, case when $3 then 0 end
  from ${linesInJson}
  on conflict (order_id, external_id) do update set
    offer_external_id = excluded.offer_external_id,
    at_shop = case
      when $3 and excluded.quantity <> order_lines.quantity then coalesce(order_lines.at_shop, order_lines.quantity)
      else order_lines.at_shop
    end,
    quantity = excluded.quantity`

const isRemoved = `not exists (
    select from ${linesInJson} where "externalId" = order_lines.external_id
  )`

/** Lines that the shop never got. */
export const deleteMissing = `
  delete from order_lines
  where order_id = $1 and at_shop = 0 and ${isRemoved}`

/** The shop still has these pieces, and needs no more of them. */
export const updateRemoved = `
  update order_lines set quantity = at_shop
  where order_id = $1 and at_shop between 1 and quantity - 1 and ${isRemoved}`

export const updateToKnownAtShop = 'update order_lines set at_shop = null where order_id = $1 and at_shop is not null'

/**
 * Stores the pieces that the shop has taken of lines that changed meanwhile. `corrected`: by how
 * much the pieces that the lines reserve differ from those that they reserved, without the sold.
 */
export const updateTaken = `
  with line as (
    select
      known.external_id, known.variant_id,
      case when known.is_reserved then known.quantity else 0 end as reserved,
      known.quantity, coalesce(line.quantity, 0) as at_shop
    from order_lines as known
    left join ${linesInJson} on "externalId" = known.external_id
    where known.order_id = $1 and known.variant_id is not null
  ),
  taken as (
    update order_lines set at_shop = line.at_shop, is_reserved = line.quantity > line.at_shop
    from line
    where order_lines.order_id = $1 and order_lines.external_id = line.external_id
  )
  select
    variant_id as "variantId", at_shop as sold,
    at_shop - reserved + greatest(quantity - at_shop, 0) as corrected
  from line`

export const updateVariants = `
  update order_lines set variant_id = offers.variant_id
  from offers
  where order_lines.order_id = $1
    and order_lines.variant_id is null
    and offers.connection_id = $2
    and offers.external_id = order_lines.offer_external_id`

// A line keeps its variant, whatever became of its offer.
export const copyVariantsOfOrders = `
  update order_lines as line set variant_id = known.variant_id
  from order_lines as known
  where line.order_id = $1
    and line.variant_id is null
    and known.order_id = any($2::uuid[])
    and known.external_id = line.external_id`

export const deleteRemoved = `
  with removed as (
    delete from order_lines as known
    where order_id = $1
      and not exists (
        select from ${linesInJson}
        where "externalId" = known.external_id
          and coalesce("offerExternalId", known.offer_external_id) is not distinct from known.offer_external_id
      )
    returning variant_id, quantity, is_reserved
  )
  select variant_id as "variantId", -quantity as by
  from removed
  where is_reserved`

export const updateReservedQuantities = `
  update order_lines set quantity = line.quantity
  from ${linesInJson}, order_lines as known
  where order_lines.order_id = $1
    and order_lines.is_reserved
    and order_lines.quantity <> line.quantity
    and order_lines.external_id = "externalId"
    and known.order_id = order_lines.order_id
    and known.external_id = order_lines.external_id
  returning order_lines.variant_id as "variantId", line.quantity - known.quantity as by`

/** SQL: the pieces of a line that the shop does not have. */
const missingPieces = 'quantity - coalesce(at_shop, 0)'

// A line of an order that the shop has reserves only what the shop's order lacks.
export const updateToReserved = `
  update order_lines set is_reserved = true
  where order_id = $1
    and not is_reserved
    and variant_id is not null
    and case
      when at_shop is null then (select destination_external_id is null from orders where id = $1)
      else at_shop < quantity
    end
  returning variant_id as "variantId", ${missingPieces} as quantity`

export const updateToFree = `
  update order_lines set is_reserved = false
  where order_id = any($1::uuid[]) and is_reserved
  returning variant_id as "variantId", ${missingPieces} as quantity`

export const selectSoldOffers = `
  select distinct orders.connection_id as "connectionId", line.offer_external_id as "externalId"
  from orders
  join order_lines as line on line.order_id = orders.id
  where orders.id = $1 and line.offer_external_id is not null`

export const selectProducts = `
  select distinct products.connection_id as "connectionId", products.external_id as "externalId"
  from order_lines as line
  join variants on variants.id = line.variant_id
  join products on products.id = variants.product_id
  where line.order_id = $1`

const mostUnexplained = 20

/** SQL: whether an order may reserve pieces of a line. */
const keepingSql = `(${reservingSql} or (orders.status = 'created' and line.at_shop is not null))`

export const selectUnexplained = `
  with kept as (
    select
      stock.variant_id, stock.reserved, orders.id as order_id,
      line.quantity - coalesce(line.at_shop, 0) as quantity,
      coalesce(${keepingSql}, false) as is_live
    from stock
    left join order_lines as line on line.variant_id = stock.variant_id and line.is_reserved
    left join orders on orders.id = line.order_id
    where stock.reserved > 0
      and exists (
        select from offers
        where offers.variant_id = stock.variant_id and offers.connection_id = $1
      )
  ),
  counted as (
    select
      variant_id, reserved,
      coalesce(sum(quantity) filter (where is_live), 0)::integer as explained,
      coalesce(jsonb_agg(distinct order_id) filter (where order_id is not null and not is_live), '[]') as orders
    from kept
    group by variant_id, reserved
  )
  select variant_id as "variantId", reserved, explained, orders
  from counted
  where reserved > explained
  order by variant_id
  limit ${mostUnexplained}`

const mostReserving = 20
/** The orders that are counted. */
const mostCounted = 10_000

// An order that was shipped or cancelled reserves nothing, whatever its lines say.
export const selectReserving = `
  with reserving as (
    select
      orders.id, orders.external_id as "externalId", orders.connection_id as "connectionId",
      orders.status, orders.created_at,
      sum(line.quantity - coalesce(line.at_shop, 0))::integer as quantity
    from order_lines as line
    join orders on orders.id = line.order_id
    where line.is_reserved
      and ${keepingSql}
      and line.variant_id in (
        select $1::uuid
        union
        select other.variant_id
        from stock as own
        join stock as other on other.shared_id = own.shared_id
        where own.variant_id = $1
      )
    group by orders.id
    limit ${mostCounted}
  )
  select
    id, "externalId", "connectionId", status, quantity, ${isoOf('created_at')} as "readAt",
    (count(*) over ())::integer as count,
    (sum(quantity) over ())::integer as pieces
  from reserving
  order by created_at, id
  limit ${mostReserving}`

export const selectMappable = `
  select distinct orders.external_id as "externalId"
  from orders
  join order_lines as line on line.order_id = orders.id and line.variant_id is null
  where orders.connection_id = $1
    and orders.status = 'awaiting_mapping'
    and ($2::text[] is null or line.offer_external_id = any($2))
    and orders.external_id > $3
    and exists (
      select from offers
      where offers.connection_id = $1 and offers.external_id = line.offer_external_id
    )
  order by "externalId"
  limit $4`
