import { isoOf } from '../../database/iso-of.ts'
import { JobProblemCode } from '../retry-policy.ts'
import { endAsCancelled, statusOf } from '../statements.ts'

// `run` is the job that stands for the given one. Two transactions that lock the same jobs in
// different orders would wait for each other for ever.
export const lockStanding = `
  select jobs.id as "askedId", run.id, run.job_type as "jobType", run.lane, run.connection_id as "connectionId",
    run.object_key as "objectKey", run.payload, ${statusOf('run')} as status, run.died_at::text as "diedAt",
    run.coalesced_into as "coalescedInto", array[jobs.operation_id, run.operation_id] as "operationIds"
  from jobs
  join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
  where jobs.id = any($1::uuid[])
  order by run.id
  for no key update of run`

// The lock keeps a worker from claiming a waiting job before this transaction commits, as when a
// new job is coalesced.
export const selectWaiting = `
  select id, object_key as "objectKey"
  from jobs
  where lane = 'state' and state = 'queued' and object_key = any($1)
  order by object_key
  for share`

// Commands go behind the others of their objects, as if they were asked for now, in this order.
export const updateToQueued = `
  update jobs
  set state = 'queued', due_at = now(), claimed_at = null, failures = 0, crashes = 0, unavailable_since = null,
    outcome = null, result = null, problem = null, cancellation = null, finished_at = null, died_at = null,
    command_order = case lane when 'command' then (select nextval('jobs_command_order')) + given.position end,
    operation_id = $2
  from unnest($1::uuid[]) with ordinality as given (id, position)
  where jobs.id = given.id`

// Those that a job stood for get the same stand-in: a coalesced job names the one that runs.
export const updateToCoalesced = `
  with given as (
    select * from json_to_recordset($1) as given (id uuid, "standIn" uuid, "objectKey" text)
  ),
  followers as (
    update jobs
    set coalesced_into = given."standIn", operation_id = $2
    from given
    where object_key = given."objectKey" and state is null and coalesced_into = given.id
  )
  update jobs
  set coalesced_into = given."standIn", outcome = null, result = null, problem = null, cancellation = null,
    finished_at = null, died_at = null, operation_id = $2
  from given
  where jobs.id = given.id`

const cancellation = (by: string, reason: string): string =>
  `jsonb_build_object('requestedAt', ${isoOf('now()')}, 'by', ${by}::text, 'reason', ${reason}::text)`

// The worker that runs it ends it.
export const updateCancellation = `
  update jobs
  set cancellation = coalesce(cancellation, ${cancellation('$2', '$3')}), operation_id = $4
  where id = $1`

export const updateToCancelled = `
  update jobs
  set ${endAsCancelled('$5')}, cancellation = ${cancellation('$2', '$3')}, operation_id = $4
  where id = $1`

// `run` is the job that stands for the given one.
export const updateSucceededToDead = `
  with standing as (
    select run.id, given.problem
    from json_to_recordset($1) as given (id uuid, problem jsonb)
    join jobs on jobs.id = given.id
    join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
    where run.outcome = 'succeeded'
    order by run.id
    for no key update of run
  )
  update jobs
  set outcome = 'dead', problem = standing.problem, finished_at = now(), died_at = now()
  from standing
  where jobs.id = standing.id`

// The attempts keep the whole problem of its death.
const problemOfDead = (message: string): string => `
  jsonb_build_object(
    'code', '${JobProblemCode.cancelled}',
    'message', ${message}::text || coalesce('; it had died of ' || (problem ->> 'code'), '')
  )`

export const updateDeadToCancelled = `
  update jobs
  set outcome = 'cancelled', problem = ${problemOfDead('$5')}, died_at = null, finished_at = now(),
    cancellation = ${cancellation('$2', '$3')}, operation_id = $4
  where id = any($1::uuid[]) and died_at is not null`

export const selectDeadOf = `
  select id
  from jobs
  where object_key = any($1) and state is null and died_at is not null
  order by id
  for no key update`
