import { endedSql } from '../status.ts'

const endedAt = 'coalesce(orders.ended_at, orders.updated_at)'

/** SQL: whether an order has the data of its buyer. */
export const hasBuyer = 'orders.personal_data_removed_at is null'

/**
 * SQL: orders that ended at least `$1` days ago and meet a condition over rows of `orders`, after a
 * position of a walk. Skips locked rows, because another process works on them.
 */
export const lockDue = (condition: string): string => `
  select id, ${endedAt}::text as "endedAt"
  from orders
  where ${condition}
    and ${endedSql}
    and ${endedAt} < now() - $1 * interval '1 day'
    and (${endedAt}, id) > ($2::timestamptz, $3::uuid)
  order by ${endedAt}, id
  limit $4
  for update skip locked`

export const lockForRemoval = `
  select
    orders.id, orders.connection_id as "connectionId", orders.external_id as "externalId", orders.snapshot,
    orders.problems, orders.destination_connection_id as "destinationConnectionId",
    orders.destination_external_id as "destinationExternalId", orders.tracking,
    orders.personal_data_removed_at as "personalDataRemovedAt",
    shipments.connection_id as "carrierId", shipments.tracking as "parcel", shipments.problem as "parcelProblem"
  from orders
  left join shipments on shipments.order_id = orders.id
  where orders.id = any($1::uuid[])
  order by orders.id
  for update of orders`

export const selectDetails = `
  select order_id as "orderId", id, detail
  from order_history
  where order_id = any($1::uuid[]) and detail is not null and detail <> '{}'`

// PostgreSQL does not know how few rows a JSON has: the ids let it use the index.
export const updateOrders = `
  update orders set
    snapshot = given.snapshot,
    handed_on = null,
    problems = given.problems,
    tracking = null,
    personal_data_removed_at = coalesce(orders.personal_data_removed_at, now())
  from jsonb_to_recordset($1::jsonb) as given (id uuid, snapshot jsonb, problems jsonb)
  where orders.id = given.id and orders.id = any($2::uuid[])
  returning orders.id, orders.personal_data_removed_at as "removedAt"`

export const updateDetails = `
  update order_history set detail = given.detail
  from jsonb_to_recordset($1::jsonb) as given ("orderId" uuid, id bigint, detail jsonb)
  where order_history.order_id = given."orderId"
    and order_history.id = given.id
    and order_history.order_id = any($2::uuid[])`

export const updateParcels = `
  update shipments set tracking = null, problem = case when problem is null then null else $2 end
  where order_id = any($1::uuid[])`
