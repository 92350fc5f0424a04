import { isoOf } from '../../database/iso-of.ts'

/** SQL: the statuses of orders that nobody has shipped, and that are not over. */
const unshipped = "array['awaiting_mapping', 'ready', 'failed', 'created']"

export const countLate = `
  select
    given.id as "connectionId", given.hours, counted.count, ${isoOf('counted.since')} as since,
    counted.oldest as "oldestExternalId"
  from jsonb_to_recordset($1::jsonb) as given (id uuid, hours integer)
  cross join lateral (
    select count(*)::integer as count, min(few.placed_at) as since,
      (array_agg(few.external_id order by few.placed_at, few.external_id))[1] as oldest
    from (
      select orders.external_id, orders.placed_at
      from orders
      where orders.connection_id = given.id
        and orders.status = any(${unshipped})
        and orders.source_status not in ('shipped', 'delivered', 'cancelled', 'returned', 'gone')
        and orders.placed_at < clock_timestamp() - interval '1 hour' * given.hours
      order by orders.placed_at
      limit $2
    ) as few
  ) as counted
  where counted.count > 0`

// Jobs of an hour ago that came after the last success: none, as long as the polls succeed. A poll
// that waits for a platform dies after a day, so two days have one of every shop that is asked.
export const selectUnread = `
  select given.id as "connectionId", ${isoOf('coalesce(cursors.updated_at, asked.since)')} as since
  from unnest($1::uuid[]) as given (id)
  join connections on connections.id = given.id and connections.capabilities ? 'OrderProcessorManager'
  left join connection_cursors as cursors on cursors.connection_id = given.id and cursors.cursor_key = $2
  cross join lateral (
    select min(jobs.created_at) as since
    from jobs
    where jobs.connection_id = given.id
      and jobs.job_type = $3
      and jobs.outcome is distinct from 'succeeded'
      and jobs.outcome is distinct from 'cancelled'
      and jobs.created_at > greatest(cursors.updated_at, clock_timestamp() - interval '2 days')
      and jobs.created_at < clock_timestamp() - interval '1 hour'
  ) as asked
  where asked.since is not null`
