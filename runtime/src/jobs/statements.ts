import { isoOf } from '../database/iso-of.ts'
import { prepared } from '../database/prepared.ts'
import { groupsHeldForLong, isHeldForLong } from './holds/statements.ts'
import { hubGroup } from './identity.ts'
import type { JobStatus } from './job.ts'

/**
 * SQL: the group of a row of `jobs`, which is its connection, or the hub. The indexes of live jobs
 * name the same expression.
 */
export const groupOf = (row: string): string => `coalesce(${row}.connection_id, '${hubGroup}')`

// `now()` is when the transaction began. A job that another transaction stored after that has a
// later `due_at`, and would be shown as waiting. The subquery reads the clock once for all rows.
const isDue = (row: string): string => `${row}.due_at <= (select clock_timestamp())`

/** SQL: the status of a job that no other job stands for. */
export const statusOf = (row: string): string => `
  coalesce(${row}.outcome, case
    when ${row}.state = 'running' then 'running'
    when ${isDue(row)} and not ${isHeldForLong(groupOf(row))} then 'queued'
    else 'waiting' end)`

/** SQL: attempts without the requests that they sent to platforms. */
const withoutCalls = (attempts: string): string =>
  `(
    select coalesce(jsonb_agg(attempt - array['calls', 'callsLeftOut'] order by position), '[]')
    from jsonb_array_elements(${attempts}) with ordinality as made (attempt, position)
  )`

// `run` is the job that stands for this one: itself, unless it was coalesced. A job that ran before
// it was coalesced shows its own attempts, too.
const allAttempts = 'case when jobs.coalesced_into is null then jobs.attempts else jobs.attempts || run.attempts end'

const selectWith = (attempts: string): string => `
  select jobs.id, jobs.job_type as "jobType", jobs.connection_id as "connectionId",
    jobs.object_key as "objectKey", jobs.idempotency_key as "idempotencyKey", jobs.payload,
    jobs.request_id as "requestId", ${statusOf('run')} as status,
    ${attempts} as attempts,
    run.result, run.problem, run.adapter, jobs.coalesced_into as "coalescedInto",
    run.cancellation, case when run.state in ('queued', 'returned') then ${isoOf('run.due_at')} end as "dueAt",
    ${isoOf('jobs.created_at')} as "createdAt", ${isoOf('run.finished_at')} as "finishedAt"
  from jobs
    join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)`

export const selectRecord = selectWith(allAttempts)

/** Without the requests of the attempts: those of many jobs would be a large answer. */
export const selectRecords = selectWith(withoutCalls(allAttempts))

const isHeld = isHeldForLong(groupOf('jobs'))
const isNotRunning = "jobs.state in ('queued', 'returned')"

/** SQL: whether somebody cancelled a job before it ended. */
export const isCancelled = "jobs.outcome = 'cancelled'"

/** SQL: one condition per status. PostgreSQL answers each without reading the jobs that ended. */
export const statusConditions: Readonly<Record<JobStatus, string>> = {
  queued: `${isNotRunning} and ${isDue('jobs')} and not ${isHeld}`,
  waiting: `${isNotRunning} and not (${isDue('jobs')} and not ${isHeld})`,
  running: "jobs.state = 'running'",
  dead: 'jobs.died_at is not null',
  succeeded: "jobs.outcome = 'succeeded'",
  cancelled: isCancelled
}

/** SQL: whether a job is about one of these objects. Each part has an index. */
export const objectCondition = (keys: string): string => `
  jobs.object_key = any(${keys}) and (
    jobs.state is null
    or jobs.state in ('returned', 'running')
    or (jobs.lane = 'state' and jobs.state = 'queued')
    or jobs.command_order is not null
  )`

/** Jobs of these objects that ended within so many milliseconds, the oldest first. */
export const selectLastEnds = `
  select object_key as "objectKey", outcome, result
  from jobs
  where object_key = any($1)
    and state is null
    and coalesced_into is null
    and coalesce(finished_at, died_at) >= now() - interval '1 millisecond' * $2
  order by coalesce(finished_at, died_at), id`

/** SQL: whether the problem of a job has this code. */
export const hasCode = (code: string): string => `jobs.problem ->> 'code' = ${code}`

/**
 * SQL: whether a job has this problem: why it died, or why it waits. PostgreSQL does not read the
 * jobs that ended otherwise.
 */
export const codeCondition = (code: string): string => `
  ${hasCode(code)} and (
    jobs.died_at is not null
    or jobs.state in ('queued', 'returned')
    or jobs.state = 'running'
  )`

/** SQL: whether a job comes after a position of a listing. */
// Not a row comparison: the two columns are ordered in opposite directions. PostgreSQL enters the
// index with the first half.
export function positionCondition (createdAt: string, id: string): string {
  return `jobs.created_at <= ${createdAt} and (jobs.created_at < ${createdAt} or jobs.id > ${id})`
}

export const selectRunning = `
  select id, job_type as "jobType"
  from jobs
  where state = 'running' and ${groupOf('jobs')} = $1
  limit $2`

export const countOfConnection = 'select count(*)::integer as count from jobs where connection_id = $1'

// The lanes and the group let PostgreSQL read waiting jobs only, by their index.
const waitsFor = (connectionId: string): string =>
  `${isNotRunning} and lane in ('state', 'command') and ${groupOf('jobs')} = ${connectionId}`

export const countWaitingOf = `select count(*)::integer as count from jobs where ${waitsFor('$1')}`

/** SQL: ends a job that does not run, as cancelled, with this problem. */
export const endAsCancelled = (problem: string): string => `
  state = null, due_at = null, claimed_at = null, heartbeat_at = null, is_suspect = false, command_order = null,
  waits_for_group = null, waits_for_part = null,
  outcome = 'cancelled', result = null, problem = ${problem}::jsonb, finished_at = now()`

export const cancelWaitingOf = `
  update jobs
  set ${endAsCancelled('$2')}
  where ${waitsFor('$1')}`

export const selectKnown = 'select id from jobs where id = any($1::uuid[])'

export const selectStatuses = `
  select jobs.id, ${statusOf('run')} as status
  from jobs
    join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
  where jobs.id = any($1::uuid[])`

export const selectJobsOfOperations = `
  select jobs.id, jobs.payload ->> 'operationId' as operation, ${statusOf('run')} as status
  from jobs
    join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
  where jobs.id = any($1::uuid[])`

export const selectEnded = 'select id, outcome from jobs where id = any($1::uuid[]) and finished_at is not null'

export const addOutdated = `
  update jobs set result = jsonb_build_object('outdated', $2::integer) || case jsonb_typeof(result)
    when 'object' then result
    else jsonb_build_object('result', result)
  end
  where id = $1`

const columns = `
  id, job_type, lane, connection_id, object_key, command_order, idempotency_key, payload, request_id`

const valuesOfDraft = `
  id, "jobType", lane, "connectionId", "exclusionKey",
  case lane when 'command' then (select nextval('jobs_command_order')) + position end,
  "idempotencyKey", payload::json, "requestId"`

const draftRecords = `
  json_to_recordset($1) as draft (
    id uuid, "jobType" text, lane text, "connectionId" uuid, "exclusionKey" text, position integer,
    "idempotencyKey" text, payload text, "requestId" text, "delayMs" bigint
  )`

// The conflict is a known id, or a job of the same object that waits.
export const insertQueued = prepared(`
  insert into jobs (${columns}, state, due_at)
  select ${valuesOfDraft}, 'queued', now() + interval '1 millisecond' * coalesce("delayMs", 0)
  from ${draftRecords}
  on conflict do nothing
  returning id`)

// The lock keeps a worker from claiming the waiting job before this transaction commits: its run
// would not see what the transaction wrote, and no other run would follow.
export const insertCoalesced = prepared(`
  with waiting as (
    select id as "waitingId", object_key
    from jobs
    where lane = 'state' and state = 'queued' and object_key = any($2)
    order by object_key
    for share
  )
  insert into jobs (${columns}, coalesced_into)
  select ${valuesOfDraft}, "waitingId"
  from ${draftRecords}
  join waiting on waiting.object_key = draft."exclusionKey"
  where lane = 'state'
  on conflict (id) do nothing
  returning id`)

// These are the states that `GET /jobs` shows. Both conditions on `state` are those of an index.
const liveFigures = `
    count(*) filter (where is_due)::integer as queued,
    count(*) filter (where state <> 'running' and not is_due)::integer as waiting,
    count(*) filter (where state = 'running')::integer as running,
    coalesce(
      extract(epoch from clock_timestamp() - min(due_at) filter (where is_due)), 0
    )::double precision as "oldestSeconds"
  from (
    select jobs.connection_id, jobs.state, jobs.due_at, jobs.state <> 'running'
      and ${isDue('jobs')}
      and held.group_id is null as is_due
    from jobs
    left join (${groupsHeldForLong}) as held on held.group_id = ${groupOf('jobs')}
    where jobs.state in ('queued', 'returned') or jobs.state = 'running'
  ) as live`

export const countLive = `select ${liveFigures}`

export const countLiveByConnection = `
  select connection_id as "connectionId", ${liveFigures}
  group by connection_id`

// Walks the index on created_at from the oldest job on. Later steps continue behind the dead jobs,
// which stay longer, so that no step reads more rows than it may remove.
export const removeStep = `
  with old as (
    select id, created_at, coalesced_into, finished_at, died_at
    from jobs
    where created_at >= $1
      and (created_at > $1 or id < $2)
      and created_at < now() - $3::integer * interval '1 day'
    order by created_at, id desc
    limit $5
  ),
  removed as (
    delete from jobs
    using old
    where jobs.id = old.id
      and case
        when old.coalesced_into is not null
          then not exists (select from jobs as run where run.id = old.coalesced_into)
        when old.died_at is not null then old.died_at < now() - $4::integer * interval '1 day'
        else old.finished_at < now() - $3::integer * interval '1 day'
      end
    returning jobs.id
  ),
  last as (
    select created_at, id from old order by created_at desc, id limit 1
  )
  select (select count(*) from removed) as removed,
    (select created_at::text from last) as "createdAt",
    (select id from last) as id`

export const selectManyDeadRows = `
  select from pg_stat_user_tables
  where relid = $3::regclass and n_dead_tup > $1 + $2::float8 * n_live_tup`

/** SQL: frees the space of dead rows. */
export const vacuum = (table: string): string => `vacuum (analyze) ${table}`
