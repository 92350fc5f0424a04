import { isoOf } from '../../database/iso-of.ts'
import type { HoldReason } from './entity.ts'

const stands = 'coalesce(hold.lapses_at > now(), true)'
const isWhole = "hold.part = ''"

/** SQL: whether jobs of a group must not begin now. The group is an expression. */
export const isHeld = (group: string): string => `
  (
    (
      select true
      from job_holds as hold
      where hold.group_id = ${group} and ${isWhole} and ${stands}
      limit 1
    ) is not null
  )`

/** SQL: whether a group is held for this reason. */
export const isHeldBecause = (group: string, reason: HoldReason): string => `
  exists (
    select
    from job_holds as hold
    where hold.group_id = ${group} and ${isWhole} and hold.reason = '${reason}' and ${stands}
  )`

// A move is over in a moment.
const isLong = `${isWhole} and (hold.lapses_at is null or (hold.reason = 'paused' and ${stands}))`

/** SQL: the reasons for which a group is held now, and when each lapses, as JSON; null if none. */
export const standingHolds = (group: string): string => `
  (
    select json_agg(json_build_object('reason', hold.reason, 'until', ${isoOf('hold.lapses_at')}))
    from job_holds as hold
    where hold.group_id = ${group} and ${isWhole} and ${stands}
  )`

/**
 * SQL: whether a group is held until somebody releases it, or by a pause. Its jobs are shown as
 * waiting.
 */
export const isHeldForLong = (group: string): string =>
  `exists (select from job_holds as hold where hold.group_id = ${group} and ${isLong})`

/** SQL: the groups that are held until somebody releases them, or by a pause. */
export const groupsHeldForLong = `select distinct group_id from job_holds as hold where ${isLong}`

export const insertHold = `
  insert into job_holds (group_id, part, reason) values ($1, '', $2)
  on conflict do nothing`

export const deleteHold = "delete from job_holds where group_id = $1 and part = '' and reason = $2"

export const deleteHolds = 'delete from job_holds where group_id = $1'

export const insertLapsingHold = `
  insert into job_holds (group_id, part, reason, lapses_at)
  values ($1, '', $2, clock_timestamp() + interval '1 millisecond' * $3)
  on conflict (group_id, part, reason) do update
  set lapses_at = excluded.lapses_at
  where job_holds.lapses_at <= clock_timestamp()
  returning lapses_at::text as mark`

export const extendHold = `
  update job_holds
  set lapses_at = clock_timestamp() + interval '1 millisecond' * $4
  where group_id = $1
    and part = ''
    and reason = $2
    and lapses_at = $3::timestamptz
    and lapses_at > clock_timestamp()
  returning lapses_at::text as mark`

export const deleteLapsingHold = `
  delete from job_holds
  where group_id = $1
    and part = ''
    and reason = $2
    and lapses_at = $3::timestamptz
    and ($4::float8 is null or lapses_at > clock_timestamp() + interval '1 millisecond' * $4::float8)
  returning group_id`

export const upsertPause = `
  insert into job_holds (group_id, part, reason, lapses_at)
  values ($1, $2, 'paused', $3::timestamptz)
  on conflict (group_id, part, reason) do update
  set lapses_at = excluded.lapses_at`

export const deletePause = "delete from job_holds where group_id = $1 and part = $2 and reason = 'paused'"

export const updateWaiting = `
  update jobs
  set due_at = coalesce($3::timestamptz, 'infinity'),
    problem = jsonb_set(problem, '{message}', to_jsonb($4::text))
  where waits_for_group = $1 and waits_for_part = $2 and state = 'returned'`

export const releaseWaiting = `
  update jobs
  set due_at = now(), waits_for_group = null, waits_for_part = null
  where waits_for_group = $1 and waits_for_part = any($2::text[]) and state = 'returned'`

export const releaseAllWaiting = `
  update jobs
  set due_at = now(), waits_for_group = null, waits_for_part = null
  where waits_for_group = $1 and state = 'returned'`

/**
 * SQL: the pauses that rows of `given` wait for. Locks them: a statement that ends or changes a
 * pause then finds the jobs that this one puts back.
 */
export const lockPausesOf = (given: string): string => `
  select group_id, part, lapses_at
  from job_holds
  where reason = 'paused' and (group_id, part) in (select "waitsForGroup", "waitsForPart" from ${given})
  order by group_id, part
  for share`
