import { isoOf } from '../../database/iso-of.ts'

/**
 * SQL: looks at `limit` jobs that meet the conditions, newest first. `ids`: those whose key begins
 * with the prefix. `seen`: how many it looked at. `createdAt` and `id`: the last of them, or null.
 */
export function scan (conditions: readonly string[], prefix: string, limit: string): string {
  return `
    with seen as materialized (
      select id, created_at, idempotency_key
      from jobs
      ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
      order by created_at desc, id
      limit ${limit}
    ),
    last as (
      select id, created_at from seen order by created_at, id desc limit 1
    )
    select
      coalesce(
        json_agg(id order by created_at desc, id) filter (where starts_with(idempotency_key, ${prefix})), '[]'
      ) as ids,
      count(*)::integer as seen,
      (select ${isoOf('created_at')} from last) as "createdAt",
      (select id from last) as id
    from seen`
}
