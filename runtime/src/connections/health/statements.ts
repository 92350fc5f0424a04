import { isoOf } from '../../database/iso-of.ts'
import { lastNames } from '../../figures/names.ts'
import { groupOf } from '../../jobs/statements.ts'
import { pausesOf } from '../pauses/statements.ts'

const firstHour = "date_trunc('hour', now(), 'UTC') - interval '23 hours'"

// The newest jobs come from the index of the connection, those that wait from that of waiting jobs.
// Each part has a limit: behind an outage, millions of jobs may wait. A job that was run again has
// the failures of its earlier attempts.
const newestRuns = `
  select max(at) filter (where has_succeeded) as success_at,
    max(at) filter (where not has_succeeded) as failure_at,
    (array_agg(code order by at desc) filter (where not has_succeeded))[1] as failure_code
  from (
    select state, outcome, finished_at, problem, attempts
    from jobs
    where connection_id = page.id
    order by created_at desc, id
    limit 200
  ) as newest
    cross join lateral (
      select outcome = 'succeeded' as has_succeeded, finished_at as at, problem ->> 'code' as code
      where outcome in ('succeeded', 'dead')
      union all
      select false, (attempt ->> 'finishedAt')::timestamptz, attempt -> 'error' ->> 'code'
      from jsonb_array_elements(attempts) as made (attempt)
      where attempt -> 'error' is not null
    ) as run`

const waiting = `
  select count(*)::integer as count
  from (
    select from jobs
    where state in ('queued', 'returned') and lane in ('state', 'command') and ${groupOf('jobs')} = page.id
    limit 10000
  ) as found`

const count = (name: string): string => `coalesce((counts ->> '${name}')::bigint, 0)`
const timeOf = (name: string): string =>
  `(timestamptz 'epoch' + interval '1 millisecond' * (counts ->> '${name}')::bigint)`

const lastDay = `
  select max(counted.success_at) as success_at, max(counted.failure_at) as failure_at,
    jsonb_agg(coalesce(counted.successes, 0) order by hour) as successes,
    jsonb_agg(coalesce(counted.failures, 0) order by hour) as failures
  from generate_series(${firstHour}, now(), interval '1 hour') as hour
    left join (
      select date_trunc('hour', begins_at, 'UTC') as hour,
        sum(${count('jobsSucceeded')})::float8 as successes,
        sum(${count('jobsDead')} + ${count('jobsPutBack')})::float8 as failures,
        max(${timeOf(lastNames.success)}) as success_at,
        max(${timeOf(lastNames.failure)}) as failure_at
      from figures
      where connection_id = page.id and begins_at >= ${firstHour}
      group by 1
    ) as counted using (hour)`

// The code of the failure that `lastDay` found: each process stores a row of the minute.
const codeOfDay = `
  select substr(named.name, length('${lastNames.failureWith('')}') + 1) as code
  from (
    select counts
    from figures
    where connection_id = page.id and begins_at >= ${firstHour} and ${timeOf(lastNames.failure)} = day.failure_at
    limit 1
  ) as newest, jsonb_each_text(newest.counts) as named (name, value)
  where starts_with(named.name, '${lastNames.failureWith('')}')
  order by named.value::bigint desc
  limit 1`

const timeOfState = (member: string): string =>
  isoOf(`(timestamptz 'epoch' + interval '1 millisecond' * (state -> 'breaker' ->> '${member}')::float8)`)

const breaker = `
  (
    select jsonb_build_object('openedAt', ${timeOfState('openedAt')}, 'openUntil', ${timeOfState('openUntil')})
    from upstream_states
    where connection_id = page.id and state -> 'breaker' is not null
  )`

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
    ${pausesOf('page.id')} as pauses, ${breaker} as breaker,
    ${isoOf('greatest(run.success_at, day.success_at)')} as "lastSuccessAt",
    ${isoOf('greatest(run.failure_at, day.failure_at)')} as "lastFailureAt",
    case
      when run.failure_at >= day.failure_at or day.failure_at is null then run.failure_code
      else (${codeOfDay})
    end as "lastFailureCode",
    waiting.count as waiting, coalesce(dead.count, 0) as dead,
    day.successes as "succeededPerHour", day.failures as "failedPerHour",
    ${isoOf('page.created_at')} as "createdAt"
  from page
    cross join lateral (${newestRuns}) as run
    cross join lateral (${waiting}) as waiting
    cross join lateral (${lastDay}) as day
    left join dead on dead.connection_id = page.id
  order by page.created_at, page.id`
