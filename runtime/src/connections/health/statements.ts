import { isoOf } from '../../database/iso-of.ts'
import { groupOf } from '../../jobs/statements.ts'

const firstHour = "date_trunc('hour', now(), 'UTC') - interval '23 hours'"

// The newest jobs come from the index of the connection, those that wait from that of waiting jobs.
// Each part has a limit: behind an outage, millions of jobs may wait.
const newestRuns = `
  select max(at) filter (where has_succeeded) as success_at,
    max(at) filter (where not has_succeeded) as failure_at,
    (array_agg(code order by at desc) filter (where not has_succeeded))[1] as failure_code
  from (
    select outcome is not distinct from 'succeeded' as has_succeeded,
      coalesce(finished_at, (attempts -> -1 ->> 'finishedAt')::timestamptz) as at,
      case
        when outcome = 'dead' then problem ->> 'code'
        when outcome is null then attempts -> -1 -> 'error' ->> 'code'
      end as code
    from (
      select state, outcome, finished_at, problem, attempts
      from jobs
      where connection_id = page.id
      order by created_at desc, id
      limit 200
    ) as newest
    where outcome in ('succeeded', 'dead')
      or (state in ('returned', 'running') and attempts -> -1 -> 'error' is not null)
  ) as run`

const waiting = `
  select count(*)::integer as count
  from (
    select from jobs
    where state in ('queued', 'returned') and lane in ('state', 'command') and ${groupOf('jobs')} = page.id
    limit 10000
  ) as found`

const count = (name: string): string => `coalesce((counts ->> '${name}')::bigint, 0)`

const lastDay = `
  select max(counted.success_at) as success_at, max(counted.failure_at) as failure_at,
    jsonb_agg(coalesce(counted.successes, 0) order by hour) as successes,
    jsonb_agg(coalesce(counted.failures, 0) order by hour) as failures
  from generate_series(${firstHour}, now(), interval '1 hour') as hour
    left join (
      select date_trunc('hour', begins_at, 'UTC') as hour,
        sum(${count('jobsSucceeded')})::float8 as successes,
        sum(${count('jobsDead')} + ${count('jobsPutBack')})::float8 as failures,
        max(begins_at) filter (where counts ? 'jobsSucceeded') as success_at,
        max(begins_at) filter (where counts ?| array['jobsDead', 'jobsPutBack']) as failure_at
      from figures
      where connection_id = page.id and begins_at >= ${firstHour}
      group by 1
    ) as counted using (hour)`

/**
 * The health of a page of connections. `$1`: platform type or null. `$2`: status or null. `$3` and
 * `$4`: the last connection of the page before, or null. `$5`: how many.
 */
export const selectHealth = `
  with page as materialized (
    select id, name, platform_type, status, status_reason, adapter_key, adapter_version, created_at
    from connections
    where deleted_at is null
      and ($1::text is null or platform_type = $1)
      and ($2::text is null or status = $2)
      and ($3::timestamptz is null or (created_at, id) > ($3, $4::uuid))
    order by created_at, id
    limit $5
  ),
  dead as (
    select connection_id, count(*)::integer as count
    from (
      select connection_id from jobs where died_at is not null order by created_at desc, id limit 10000
    ) as newest
    group by connection_id
  )
  select page.id, page.name, page.platform_type as "platformType", page.status,
    page.status_reason as "statusReason", page.adapter_key as "adapterKey", page.adapter_version as "adapterVersion",
    ${isoOf('coalesce(run.success_at, day.success_at)')} as "lastSuccessAt",
    ${isoOf('coalesce(run.failure_at, day.failure_at)')} as "lastFailureAt",
    run.failure_code as "lastFailureCode",
    waiting.count as waiting, coalesce(dead.count, 0) as dead,
    day.successes as "succeededPerHour", day.failures as "failedPerHour",
    ${isoOf('page.created_at')} as "createdAt"
  from page
    cross join lateral (${newestRuns}) as run
    cross join lateral (${waiting}) as waiting
    cross join lateral (${lastDay}) as day
    left join dead on dead.connection_id = page.id
  order by page.created_at, page.id`
