import { isoOf } from '../../database/iso-of.ts'

/** SQL: the ids of the jobs that run in place of the given ones. */
const standInsOf = (ids: string): string => `
  array(select coalesce(named.coalesced_into, named.id) from jobs as named where named.id = any(${ids}::uuid[]))`

/** SQL: whether a job is one of these, or stands for one of them. */
export const isNamed = (ids: string): string => `jobs.id = any(${standInsOf(ids)})`

// The jobs of one transaction have one created_at. Commands of one object die one after the other,
// in the order in which they have to run.
const oldestFirst = 'created_at, died_at, id'

// Walks the index of dead jobs backwards.
const foundDead = (conditions: readonly string[], limit: string): string => `
  select jobs.id, jobs.connection_id, jobs.job_type, jobs.problem ->> 'code' as code, jobs.died_at, jobs.created_at
  from jobs
  where jobs.died_at is not null
    ${conditions.map(condition => `and ${condition}`).join(' ')}
  order by ${oldestFirst}
  limit ${limit}`

/** SQL: groups the dead jobs that meet the conditions, the oldest `limit` of them. */
export const selectGroups = (conditions: readonly string[], limit: string): string => `
  with found as materialized (${foundDead(conditions, `${limit}::bigint + 1`)}),
  taken as (
    select * from found order by ${oldestFirst} limit ${limit}
  )
  select connection_id as "connectionId", job_type as "jobType", code, count(*)::integer as count,
    (select count(*) from found) > ${limit} as "atMost"
  from taken
  group by connection_id, job_type, code
  order by count desc, job_type, code, connection_id`

/** SQL: the ids of the oldest dead jobs that meet the conditions. */
export const selectOldest = (conditions: readonly string[], limit: string): string => `
  select id from (${foundDead(conditions, limit)}) as found
  order by ${oldestFirst}`

/** SQL: the named jobs that a redrive does not take, although a filter names them. */
const namedLeftOut = (conditions: readonly string[], ids: string): string => {
  const doesMatch = conditions.length === 0 ? 'true' : conditions.join(' and ')
  return `
  select distinct coalesce(jobs.id, named.id) as id,
    case
      when jobs.id is null then 'job-not-found'
      when (${doesMatch}) is not true then 'does-not-match'
      else 'not-dead'
    end as reason
  from unnest(${ids}::uuid[]) as named (id)
  left join jobs as asked on asked.id = named.id
  left join jobs on jobs.id = coalesce(asked.coalesced_into, asked.id)
  where jobs.died_at is null or (${doesMatch}) is not true`
}

/** SQL: counts the named jobs that do not run again, by the reason. */
export const countLeftOut = (conditions: readonly string[], ids: string): string => `
  select reason, count(*)::integer as count
  from (${namedLeftOut(conditions, ids)}) as named
  group by reason
  order by count desc, reason`

/** SQL: stores the named jobs that do not run again, behind the others. */
export const insertLeftOut = (
  conditions: readonly string[],
  { ids, redriveId, behind }: { ids: string, redriveId: string, behind: string }
): string => `
  insert into redrive_jobs (redrive_id, position, job_id, fate, reason)
  select ${redriveId}::uuid, ${behind}::bigint + row_number() over (order by id), id, 'skipped', reason
  from (${namedLeftOut(conditions, ids)}) as named`

/** SQL: fixes the jobs of a redrive. */
export const insertDead = (conditions: readonly string[], redriveId: string, limit: string): string => `
  with found as materialized (${foundDead(conditions, `${limit}::bigint + 1`)}),
  numbered as (
    select id, died_at, row_number() over (order by ${oldestFirst}) as position from found
  ),
  inserted as (
    insert into redrive_jobs (redrive_id, position, job_id, died_at, fate)
    select ${redriveId}::uuid, position, id, died_at, 'left' from numbered where position <= ${limit}
    returning position
  )
  select (select count(*)::integer from inserted) as count, (select count(*) from found) > ${limit} as "atMost"`

// A repetition of the request has the same id.
export const insertRedrive = `
  insert into redrives (id, state, is_open, filter, first, per_minute, goal, next_at, is_more, figures, request_id,
    started_by, created_at)
  values ($1, 'running', true, $2, $3, $4, $3, now(), false, '{}', $5, $6, now())
  on conflict (id) do nothing
  returning id`

export const updateIsMore = 'update redrives set is_more = true where id = $1'

const viewColumns = `
  redrives.id, redrives.state, redrives.filter, redrives.first, redrives.per_minute as "perMinute",
  redrives.figures, redrives.is_more as "atMost", redrives.started_by as "startedBy",
  ${isoOf('redrives.created_at')} as "startedAt", ${isoOf('redrives.ended_at')} as "endedAt"`

export const selectRedrive = `select ${viewColumns} from redrives where id = $1`

export const selectRedrives = `
  select ${viewColumns}
  from redrives
  where $1::timestamptz is null
    or (redrives.created_at <= $1 and (redrives.created_at < $1 or redrives.id > $2::uuid))
  order by redrives.created_at desc, redrives.id
  limit $3`

export const selectWaiting = `
  select ${viewColumns}
  from redrives
  where redrives.state = 'waiting'
  order by redrives.created_at, redrives.id
  limit $1`

export const selectOpen = 'select id from redrives where is_open order by created_at, id'

const openColumns = `
  id, state, goal, filter, per_minute as "perMinute", request_id as "requestId", figures,
  greatest(0, ceil(extract(epoch from next_at - clock_timestamp()) * 1000))::integer as "restMs"`

// Another process may be taking a step.
export const lockOpen = `
  select ${openColumns}
  from redrives
  where id = $1 and is_open
  for no key update skip locked`

export const lockRedrive = `select ${openColumns} from redrives where id = $1 for no key update`

// A job may have been retried by somebody else before the hub saw how it had ended. It had ended
// without success: others cannot be retried.
export const updateEnded = `
  update redrive_jobs
  set fate = ended.fate, reason = ended.reason
  from (
    select item.position,
      case when run.id is null then 'skipped' else coalesce(run.outcome, 'dead') end as fate,
      case
        when run.id is null then 'job-not-found'
        when run.outcome in ('dead', 'cancelled') then run.problem ->> 'code'
      end as reason
    from redrive_jobs as item
    left join jobs on jobs.id = item.job_id
    left join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
    where item.redrive_id = $1
      and item.fate = 'retried'
      and (
        run.id is null
        or run.outcome is not null
        or (jobs.coalesced_into is null and run.cancellation is null and run.operation_id is distinct from $1)
      )
  ) as ended
  where redrive_jobs.redrive_id = $1 and redrive_jobs.position = ended.position`

export const countFates = `
  select fate, reason, count(*)::integer as count, (array_agg(job_id order by position))[1] as "sampleJobId"
  from redrive_jobs
  where redrive_id = $1
  group by fate, reason
  order by count desc, fate, reason`

export const updateFigures = 'update redrives set figures = $2 where id = $1'

export const selectNext = `
  select position, job_id as "jobId", died_at::text as "diedAt"
  from redrive_jobs
  where redrive_id = $1 and fate = 'left'
  order by position
  limit $2`

export const updateFates = `
  update redrive_jobs
  set fate = decided.fate, reason = decided.reason
  from json_to_recordset($2) as decided (position integer, fate text, reason text)
  where redrive_jobs.redrive_id = $1 and redrive_jobs.position = decided.position`

export const updateNextAt = `
  update redrives
  set next_at = clock_timestamp() + interval '1 millisecond' * $2
  where id = $1`

export const updateClosed = `
  update redrives
  set state = $2, is_open = false,
    ended_at = case when $2 in ('done', 'stopped') then coalesce(ended_at, now()) end
  where id = $1`

export const updateContinued = "update redrives set state = 'running', is_open = true, goal = null where id = $1"

// The hub still looks how the jobs end that it has run again.
export const updateStopped = `
  update redrives
  set state = 'stopped', is_open = true, ended_at = now()
  where id = $1`

// A redrive that waits stays until somebody continues or stops it.
export const deleteOld = `
  delete from redrives
  where id in (
    select id
    from redrives
    where not is_open and ended_at < now() - interval '1 day' * $1
    limit $2
  )
  returning id`
