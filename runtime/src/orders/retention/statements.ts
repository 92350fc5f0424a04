/** SQL: whether an order keeps no pieces reserved. */
export const keepsNoPieces = `
  not exists (select from order_lines where order_lines.order_id = orders.id and order_lines.is_reserved)`

/** SQL: keeps for the connection `$2` until when removed orders of `$1` were placed. */
export const copyRemovals = `
  insert into order_removals (connection_id, placed_until)
  select $2, placed_until from order_removals where connection_id = $1
  on conflict (connection_id) do update
  set placed_until = greatest(order_removals.placed_until, excluded.placed_until)`

/** SQL: removes orders with all that belongs to them, and keeps when the latest was placed. */
export const deleteOrders = `
  with removed as (
    delete from orders where id = any($1::uuid[]) returning connection_id, placed_at
  )
  insert into order_removals (connection_id, placed_until)
  select connection_id, max(placed_at) from removed group by connection_id
  on conflict (connection_id) do update
  set placed_until = greatest(order_removals.placed_until, excluded.placed_until)`
