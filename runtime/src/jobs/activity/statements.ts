import { isoOf } from '../../database/iso-of.ts'
import { isHeldForLong, standingHolds } from '../holds/statements.ts'
import { isNext } from '../queue/statements.ts'
import { groupOf } from '../statements.ts'

/**
 * Finds the last run of each job type of connection `$1` that succeeded, and the last that failed;
 * those of schedules apart. Counts how many ended so. A job that has not ended counts with its last
 * attempt. A failed attempt before that does not count, but it may be the last failure. Stops after
 * `$2` jobs that ran, or `$3` jobs at all: behind an outage, very many may wait. `isCut`: it has
 * others.
 */
export const selectLastRuns = `
  with ran as materialized (
    select id, job_type, outcome, finished_at, problem, attempts, idempotency_key
    from (
      select id, job_type, state, outcome, finished_at, problem, attempts, idempotency_key
      from jobs
      where connection_id = $1
      order by created_at desc, id
      limit $3::bigint
    ) as newest
    where outcome in ('succeeded', 'dead')
      or (outcome is null and attempts -> -1 -> 'error' is not null)
    limit $2::bigint
  ),
  runs as (
    select id, job_type, starts_with(idempotency_key, 'schedule:') as is_scheduled, has_succeeded, at, run.problem,
      is_last
    from ran
    cross join lateral (
      select coalesce(outcome = 'succeeded', false) as has_succeeded,
        coalesce(finished_at, (attempts -> -1 ->> 'finishedAt')::timestamptz) as at,
        case
          when outcome = 'dead' then problem
          when outcome is null then attempts -> -1 -> 'error'
        end as problem,
        true as is_last
      union all
      (
        select false, (attempt ->> 'finishedAt')::timestamptz, attempt -> 'error', false
        from jsonb_array_elements(attempts) with ordinality as made (attempt, position)
        where outcome = 'succeeded' and attempt -> 'error' is not null
        order by position desc
        limit 1
      )
    ) as run
  ),
  last as (
    select distinct on (job_type, has_succeeded, is_scheduled)
      id, job_type, has_succeeded, is_scheduled, at, problem,
      count(*) filter (where is_last) over (partition by job_type, has_succeeded, is_scheduled) as count
    from runs
    order by job_type, has_succeeded, is_scheduled, at desc, id
  )
  select
    coalesce(
      (
        select json_agg(
          json_build_object(
            'jobId', id,
            'jobType', job_type,
            'hasSucceeded', has_succeeded,
            'isScheduled', is_scheduled,
            'at', ${isoOf('at')},
            'problem', problem,
            'count', count
          )
          order by last.at desc, id
        )
        from last
      ),
      '[]'
    ) as runs,
    case
      when (select count(*) from ran) >= $2 then true
      else (select count(*) from (select from jobs where connection_id = $1 limit $3 + 1) as found) > $3
    end as "isCut"`

const waitingIn = (lane: string): string => `
    select id, job_type, lane, state, object_key, problem, waits_for_part, created_at, due_at
    from jobs
    where state in ('queued', 'returned') and lane = '${lane}' and ${groupOf('jobs')} = $1
    order by due_at
    limit $2::bigint + 1`

/**
 * Groups the jobs of connection `$1` that do not run yet, the first `$2` of each lane. `isBehind`:
 * due, but another job of the object comes first. `holds`: why no job of the connection begins.
 */
export const selectWaiting = `
  with command as (${waitingIn('command')}),
  state as (${waitingIn('state')}),
  live as materialized (
    (select * from command limit $2)
    union all
    (select * from state limit $2)
  ),
  candidate as materialized (
    select id, job_type, problem, waits_for_part, created_at, due_at, is_due, is_due and not (${isNext}) as is_behind
    from (select *, due_at <= (select clock_timestamp()) as is_due from live) as candidate
  ),
  counted as (
    select job_type, problem ->> 'code' as code, waits_for_part as part, is_due, is_behind, count(*)::integer as count,
      min(created_at) as oldest_at, min(due_at) as due_at, max(due_at) as last_due_at,
      (array_agg(problem order by created_at, id))[1] as problem,
      (array_agg(id order by created_at, id))[1] as sample
    from candidate
    group by job_type, problem ->> 'code', waits_for_part, is_due, is_behind
  )
  select
    coalesce(
      (
        select json_agg(
          json_build_object(
            'jobType', job_type,
            'code', code,
            'part', part,
            'isDue', is_due,
            'isBehind', is_behind,
            'count', count,
            'oldestAt', ${isoOf('oldest_at')},
            'dueAt', ${isoOf('due_at')},
            'lastDueAt', ${isoOf('last_due_at')},
            'problem', problem,
            'sampleJobId', sample
          )
          order by count desc, oldest_at, job_type
        )
        from counted
      ),
      '[]'
    ) as groups,
    coalesce(${standingHolds('$1')}, '[]') as holds,
    (select count(*) from command) > $2 or (select count(*) from state) > $2 as "atMost"`

/**
 * Finds the groups of `$1` whose jobs have been due for `$2` milliseconds and do not run, although
 * nothing keeps them. Looks at the `$3` longest due jobs of each lane. A job that follows another
 * one of its object is not late by itself.
 */
export const selectLate = `
  select given.id as "groupId", late.count, ${isoOf('late.since')} as since, late.sample as "sampleJobId"
  from unnest($1::uuid[]) as given (id)
  cross join lateral (
    select count(*)::integer as count, min(due.due_at) as since,
      (array_agg(due.id order by due.due_at, due.id))[1] as sample
    from unnest(array['state', 'command']) as lanes (lane)
    cross join lateral (
      select jobs.id, jobs.due_at, jobs.object_key, jobs.lane
      from jobs
      where jobs.lane = lanes.lane
        and jobs.state in ('queued', 'returned')
        and ${groupOf('jobs')} = given.id
        and jobs.due_at <= clock_timestamp() - interval '1 millisecond' * $2
      order by jobs.due_at
      limit $3
    ) as due
    where not exists (
      select
      from jobs as other
      where other.object_key = due.object_key
        and other.lane = due.lane
        and other.state in ('returned', 'running')
        and other.id <> due.id
    )
  ) as late
  where late.count > 0 and not ${isHeldForLong('given.id')}
  order by late.since`
