import { isoOf } from '../../database/iso-of.ts'
import { endAsCancelled, statusOf } from '../statements.ts'

// `run` is the job that stands for the given one.
export const lockStanding = `
  select run.id, run.job_type as "jobType", run.lane, run.connection_id as "connectionId",
    run.object_key as "objectKey", run.payload, ${statusOf('run')} as status,
    run.coalesced_into as "coalescedInto", array[jobs.operation_id, run.operation_id] as "operationIds"
  from jobs
  join jobs as run on run.id = coalesce(jobs.coalesced_into, jobs.id)
  where jobs.id = $1
  for no key update of run`

// The lock keeps a worker from claiming the waiting job before this transaction commits, as when a
// new job is coalesced.
export const selectWaiting = `
  select id
  from jobs
  where lane = 'state' and state = 'queued' and object_key = $1
  for share`

// A command goes behind the others of its object, as if it were asked for now.
export const updateToQueued = `
  update jobs
  set state = 'queued', due_at = now(), claimed_at = null, failures = 0, crashes = 0,
    outcome = null, result = null, problem = null, cancellation = null, finished_at = null, died_at = null,
    command_order = case lane when 'command' then nextval('jobs_command_order') end,
    operation_id = $2
  where id = $1`

// Those that the job stood for get the same stand-in: a coalesced job names the one that runs.
export const updateToCoalesced = `
  with followers as (
    update jobs
    set coalesced_into = $2, operation_id = $4
    where object_key = $3 and state is null and coalesced_into = $1
  )
  update jobs
  set coalesced_into = $2, outcome = null, result = null, problem = null, cancellation = null, finished_at = null,
    died_at = null, operation_id = $4
  where id = $1`

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
