import { lastingProblems } from '../statements.ts'
import { endedAtOf } from '../status.ts'

// Statements over `orders`: what became of an order in its shop.

/** Longest run of a job. Nobody knows how far a run came whose process died. */
const longestAttemptMs = 120_000

// Ignore a time much further ahead: a server whose clock was ahead wrote it, and the order would
// wait until then. Read the clock at the row, not at the start of the transaction: a transaction
// that waited for the row began before the attempt that it waited for.
const isUnsure = `(creation_unsure_until > clock_timestamp()
  and creation_unsure_until <= clock_timestamp() + interval '${2 * longestAttemptMs} milliseconds')`

// An earlier attempt may have made the order: then the shop has what that attempt handed on. `$3`:
// the shop does not have the order.
export const updateToBegun = `
  update orders set
    handed_on = case when $3 then $2::jsonb else coalesce(handed_on, $2::jsonb) end,
    creation_begun_at = coalesce(creation_begun_at, now()),
    creation_unsure_until = clock_timestamp() + interval '${longestAttemptMs} milliseconds'
  where id = $1
    and status = 'ready'
    and destination_external_id is null
    and ${isUnsure} is not true
  returning id`

export const selectUnsure = `
  select ceil(extract(epoch from creation_unsure_until - clock_timestamp()) * 1000)::integer as "leftMs"
  from orders
  where id = $1 and ${isUnsure}`

export const updateUnsure = `
  update orders set
    creation_unsure_until = clock_timestamp() + $2::integer * interval '1 millisecond',
    handed_on = case when $2::integer is not null then handed_on end
  where id = $1`

export const selectMasters = `
  select distinct connections.id, connections.capabilities, connections.id = orders.connection_id as "isSource"
  from orders
  join order_lines as line on line.order_id = orders.id
  join variants on variants.id = line.variant_id
  join products on products.id = variants.product_id
  join connections on connections.id = products.connection_id and connections.deleted_at is null
  where orders.id = $1`

export const selectShops = `
  select connections.id
  from orders
  join connections on connections.id <> orders.connection_id
    and connections.deleted_at is null
    and connections.capabilities ? 'OrderProcessorManager'
  where orders.id = $1
  order by connections.id`

export const updateDestination = 'update orders set destination_connection_id = $2 where id = $1'

export const updateToNotCreatable = `
  update orders set status = 'failed', problems = ${lastingProblems} || $2::jsonb
  where id = $1`

export const updateToNotCreated = `
  update orders set status = 'failed', problems = ${lastingProblems} || $2::jsonb, updated_at = now()
  where id = $1::uuid
    and status = 'ready'
    and destination_external_id is null
  returning id`

export const selectOtherAtShop = `
  select id
  from orders
  where destination_connection_id = $2 and destination_external_id = $3 and id <> $1`

export const updateToCreated = `
  update orders set
    status = $2,
    destination_external_id = $3,
    problems = $4,
    handed_on = $5,
    updated_at = now()
  where id = $1`

export const updateHandedOn = 'update orders set handed_on = $2, updated_at = now() where id = $1'

export const updateToCancelledInShop = `
  update orders set destination_status = 'cancelled', shop_read_at = clock_timestamp(), updated_at = now()
  where id = $1`

/** With a tracking number, only the delivery of a shipped order is still to come. */
const restOfShipped =
  `case when status = 'shipped' and tracking is not null then interval '1 hour' else interval '0' end`

// The orders that wait for the shop. `$3`: the beginning of the reading; an order is read once.
export const selectOpenAtShop = `
  select destination_external_id as "externalId"
  from orders
  where destination_connection_id = $1
    and destination_external_id is not null
    and status in ('created', 'shipped')
    and coalesce(destination_status, '') not in ('delivered', 'cancelled', 'returned')
    and created_at >= clock_timestamp() - $2::integer * interval '1 day'
    and (shop_read_at is null or shop_read_at + ${restOfShipped} < $3::timestamptz)
  order by coalesce(shop_read_at, '-infinity') + ${restOfShipped}, id
  limit $4`

export const selectFirstAtShop = `
  select id from orders
  where destination_connection_id = $1 and destination_external_id is not null
  limit 1`

export const selectAtShop = `
  select destination_external_id as "externalId"
  from orders
  where destination_connection_id = $1 and destination_external_id = any($2)`

export const updateReadAtShop = `
  update orders set shop_read_at = clock_timestamp()
  where destination_connection_id = $1 and destination_external_id = any($2)`

export const updateFromShop = `
  update orders set
    status = $2,
    destination_status = $3,
    tracking = $4,
    problems = $5,
    ended_at = ${endedAtOf('$2')},
    updated_at = now()
  where id = $1`
