import { endedSql } from '../status.ts'

const endedAt = 'coalesce(orders.ended_at, orders.updated_at)'

/**
 * SQL: orders that ended at least `$1` days ago and keep no pieces reserved, after a position of a
 * walk. Another process removes locked rows.
 */
export const lockDue = `
  select id, ${endedAt}::text as "endedAt"
  from orders
  where ${endedSql}
    and ${endedAt} < now() - $1 * interval '1 day'
    and (${endedAt}, id) > ($2::timestamptz, $3::uuid)
    and not exists (select from order_lines where order_lines.order_id = orders.id and order_lines.is_reserved)
  order by ${endedAt}, id
  limit $4
  for update skip locked`

/** SQL: removes orders with all that belongs to them, and keeps when the latest was placed. */
export const deleteOrders = `
  with removed as (
    delete from orders where id = any($1::uuid[]) returning connection_id, placed_at
  )
  insert into order_removals (connection_id, placed_until)
  select connection_id, max(placed_at) from removed group by connection_id
  on conflict (connection_id) do update
  set placed_until = greatest(order_removals.placed_until, excluded.placed_until)`
