import { otherSql, retryableSql } from './rules.ts'

export const hasProblem = (code: string): string =>
  `orders.problems @> jsonb_build_array(jsonb_build_object('code', ${code}::text))`

/** SQL: whether an order comes behind this one in the order of `selectCandidates`. */
export const isBehind = (id: string): string => `
  (orders.created_at, orders.id) > (
    (select last.created_at from orders as last where last.id = ${id}), ${id}::uuid
  )`

/** SQL: the orders that can be retried and meet the conditions, the oldest first. */
export const selectCandidates = (conditions: readonly string[], limit: string): string => `
  select orders.id, orders.connection_id as "connectionId", orders.status, orders.problems -> -1 ->> 'code' as code
  from orders
  where ${[retryableSql, ...conditions].join(' and ')}
  order by orders.created_at, orders.id
  limit ${limit}`

/** SQL: how many other orders meet the conditions, by their status, and whether there are more. */
export const countOthers = (conditions: readonly string[], limit: string): string => `
  with found as materialized (
    select orders.status
    from orders
    where ${[otherSql, ...conditions].join(' and ')}
    limit ${limit}::bigint + 1
  ),
  taken as (
    select status from found limit ${limit}
  )
  select status as reason, count(*)::integer as count, (select count(*) from found) > ${limit} as "atMost"
  from taken
  group by status`
