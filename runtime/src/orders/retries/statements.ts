import { retryableSql } from './rules.ts'

export const hasProblem = (code: string): string =>
  `orders.problems @> jsonb_build_array(jsonb_build_object('code', ${code}::text))`

/** SQL: the orders that can be retried and meet the conditions, the oldest first. */
export const selectCandidates = (conditions: readonly string[], limit: string): string => `
  select orders.id, orders.connection_id as "connectionId", orders.status, orders.problems -> -1 ->> 'code' as code
  from orders
  where ${[retryableSql, ...conditions].join(' and ')}
  order by orders.created_at, orders.id
  limit ${limit}`

/** SQL: how many other orders meet the conditions, by their status. */
export const countOthers = (conditions: readonly string[], limit: string): string => `
  select status as reason, count(*)::integer as count
  from (
    select orders.status
    from orders
    where ${[`not ${retryableSql}`, ...conditions].join(' and ')}
    limit ${limit}
  ) as other
  group by status`
