import { AdapterErrorCode } from '@linker/sdk'
import { isoOf } from '../../database/iso-of.ts'
import { prepared } from '../../database/prepared.ts'
import { isHeld, lockPausesOf } from '../holds/statements.ts'
import { groupOf } from '../statements.ts'

/**
 * SQL: whether no other job of its object comes before the row `candidate`. A job that was claimed,
 * and runs or waits for another try, comes before all that were not. Commands then come in their
 * order; of state jobs only one waits.
 */
// Written as `(select … limit 1) is null`: for `not exists` the planner hashes every waiting job.
export const isNext = `
  (
    select true
    from jobs as other
    where other.object_key = candidate.object_key
      and other.lane = candidate.lane
      and other.state in ('returned', 'running')
      and other.id <> candidate.id
    limit 1
  ) is null
  and (
    candidate.lane = 'state'
    or candidate.state = 'returned'
    or candidate.id = (
      select first.id
      from jobs as first
      where first.object_key = candidate.object_key and first.command_order is not null
      order by first.command_order
      limit 1
    )
  )`

/** SQL: the free part of a group's share; zero while the group is held. */
const roomOf = (group: string, perGroup: string): string => `
  case
    when ${isHeld(group)} then 0
    else greatest(0, ${perGroup} - (
      select count(*)
      from jobs as busy
      where ${groupOf('busy')} = ${group} and busy.state = 'running'
    ))
  end`

// Nobody looked at a platform whose job runs late: its connection was held, or the hub stopped. The
// time that it has been away begins anew.
const claimChosen = ({ haveCrashed }: { haveCrashed: boolean }): string => `
  update jobs
  set state = 'running', claims = claims + 1, claimed_at = now(), heartbeat_at = now(), is_suspect = false,
    crashes = crashes + ${Number(haveCrashed)}, waits_for_group = null, waits_for_part = null,
    unavailable_since = case when due_at >= now() - interval '15 minutes' then unavailable_since end
  where id = any(array(select id from chosen))
  returning id, lane, claims as claim, job_type as "jobType", connection_id as "connectionId", payload, cancellation,
    request_id as "requestId", claimed_at::text as "claimedAt", failures, crashes, ${groupOf('jobs')} as "groupId",
    coalesce(extract(epoch from now() - unavailable_since) * 1000, 0)::float8 as "unavailableMs"`

/** SQL: the first (lane, group) with waiting jobs behind another, in their order. */
const turnAfter = (lane: string, group: string): string => `
  select lane, ${groupOf('jobs')} as group_id
  from jobs
  where state in ('queued', 'returned')
    and (lane, ${groupOf('jobs')}) > (${lane}, ${group})
  order by lane, ${groupOf('jobs')}
  limit 1`

// turn: every (lane, group) with waiting jobs, from the one after the last claim on; read lazily,
// as far as the slots need. lateral: its due jobs, oldest first, up to what is left of the group's
// share.
export const claimDue = prepared(`
  with recursive turn as (
    (${turnAfter('$1', '$2::uuid')})
    union all
    select next.lane, next.group_id
    from turn
    cross join lateral (${turnAfter('turn.lane', 'turn.group_id')}) next
  ),
  chosen as (
    select job.id
    from turn
    cross join lateral (
      select id
      from jobs as candidate
      where candidate.lane = turn.lane
        and ${groupOf('candidate')} = turn.group_id
        and candidate.state in ('queued', 'returned')
        and candidate.due_at <= now()
        and not candidate.is_suspect
        and ${isNext}
      order by candidate.due_at
      limit ${roomOf('turn.group_id', '$4')}
      for update of candidate skip locked
    ) as job
    limit $3
  )
  ${claimChosen({ haveCrashed: false })}`)

export const claimSuspect = prepared(`
  with chosen as (
    select id
    from jobs as candidate
    where candidate.lane = $1
      and candidate.is_suspect
      and candidate.due_at <= now()
      and ${isNext}
      and ${roomOf(groupOf('candidate'), '$2')} > 0
    order by candidate.due_at
    limit 1
    for update of candidate skip locked
  )
  ${claimChosen({ haveCrashed: true })}`)

const mostRecordedAttempts = 20

/** SQL: the attempts of a job with the one that ends now; the record has its `error` and `kept`. */
const attemptsWith = (ending: string): string => `
  (
    case
      when jsonb_array_length(jobs.attempts) >= ${mostRecordedAttempts} then jobs.attempts - 0
      else jobs.attempts
    end
  ) || (
    jsonb_strip_nulls(jsonb_build_object(
      'startedAt', ${isoOf('jobs.claimed_at')},
      'finishedAt', ${isoOf('now()')},
      'error', ${ending}.error
    )) || coalesce(${ending}.kept, '{}')
  )`

// The fence: a job that another worker was given since has had more claims. `$1` holds the same ids
// as the records, so that the planner always enters the table by its key.
const isOurClaim = (given: string): string => `
  jobs.id = any($1::uuid[]) and jobs.id = ${given}.id and jobs.claims = ${given}.claim and jobs.state = 'running'`

export const updateEnded = prepared(`
  update jobs
  set state = null, due_at = null, claimed_at = null, heartbeat_at = null,
    outcome = ended.outcome, result = ended.result, problem = ended.problem,
    adapter = coalesce(ended.adapter, jobs.adapter),
    failures = failures + ended."isFailure"::integer,
    attempts = ${attemptsWith('ended')},
    command_order = null,
    finished_at = now(),
    died_at = case ended.outcome when 'dead' then now() end
  from json_to_recordset($2) as ended (
    id uuid, claim integer, outcome text, "isFailure" boolean, result jsonb, problem jsonb, error jsonb, adapter text,
    kept jsonb
  )
  where ${isOurClaim('ended')}
  returning jobs.id, ended.claim`)

// A job keeps since when its platform has been away while it only waits, be it for the budget.
// A run without an error was broken off or had to wait: it is no attempt. A pause may have ended
// since the run met it, and then the job is due at once. A job that somebody cancelled must end
// instead.
export const updatePutBack = prepared(`
  with given as (
    select *
    from json_to_recordset($2) as given (
      id uuid, claim integer, "delayMs" integer, "resumesWithConnection" boolean, "isFailure" boolean,
      "isAway" boolean, "waitsForGroup" uuid, "waitsForPart" text, "isPause" boolean, problem jsonb, error jsonb,
      adapter text, kept jsonb
    )
  ),
  pause as (${lockPausesOf('given')})
  update jobs
  set state = 'returned', heartbeat_at = null,
    due_at = case
      when pause.group_id is not null then coalesce(pause.lapses_at, 'infinity')
      else now() + interval '1 millisecond' * (
        case
          when given."resumesWithConnection" and ${isHeld(groupOf('jobs'))} then 0
          else given."delayMs"
        end
      )
    end,
    waits_for_group = case when given."isPause" = false then given."waitsForGroup" else pause.group_id end,
    waits_for_part = case when given."isPause" = false then given."waitsForPart" else pause.part end,
    unavailable_since = case
      when given."isAway" then coalesce(jobs.unavailable_since, now())
      when coalesce(given.problem ->> 'code', '${AdapterErrorCode.rateLimited}') = '${AdapterErrorCode.rateLimited}'
        then jobs.unavailable_since
    end,
    problem = coalesce(given.problem, jobs.problem),
    adapter = case when given.problem is null then jobs.adapter else coalesce(given.adapter, jobs.adapter) end,
    failures = failures + case when given.problem is null then 0 else given."isFailure"::integer end,
    attempts = case when given.error is null then jobs.attempts else ${attemptsWith('given')} end
  from given
  left join pause on pause.group_id = given."waitsForGroup" and pause.part = given."waitsForPart"
  where ${isOurClaim('given')} and jobs.cancellation is null
  returning jobs.id, given.claim`)

export const selectCancellations = `
  select jobs.id, given.claim, jobs.cancellation
  from jobs
  join json_to_recordset($2) as given (id uuid, claim integer) on ${isOurClaim('given')}
  where jobs.cancellation is not null`

// Skips the jobs that a transaction has locked: it is settling them. Their claim still counts.
export const updateHeartbeat = `
  with free as (
    select id from jobs where id = any($1::uuid[]) for no key update skip locked
  ),
  beat as (
    update jobs
    set heartbeat_at = now()
    from json_to_recordset($2) as given (id uuid, claim integer)
    join free on free.id = given.id
    where ${isOurClaim('given')}
  )
  select jobs.id, given.claim
  from jobs
  join json_to_recordset($2) as given (id uuid, claim integer) on ${isOurClaim('given')}`

export const returnSilent = `
  update jobs
  set state = 'returned', is_suspect = true, due_at = now(), heartbeat_at = null
  where state = 'running' and heartbeat_at <= now() - interval '1 second' * $1
  returning id`

export const returnRunning = `
  update jobs
  set state = 'returned', due_at = now(), heartbeat_at = null
  where state = 'running'`
