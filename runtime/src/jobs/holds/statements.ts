import type { HoldReason } from './entity.ts'

const stands = 'coalesce(hold.lapses_at > now(), true)'

/** SQL: whether jobs of a group must not begin now. The group is an expression. */
export const isHeld = (group: string): string => `
  ((select true from job_holds as hold where hold.group_id = ${group} and ${stands} limit 1) is not null)`

/** SQL: whether a group is held for this reason. */
export const isHeldBecause = (group: string, reason: HoldReason): string =>
  `exists (select from job_holds as hold where hold.group_id = ${group} and hold.reason = '${reason}' and ${stands})`

/**
 * SQL: whether a group is held until somebody releases it. Its jobs are shown as waiting; a hold
 * that lapses is over in a moment.
 */
export const isHeldUntilReleased = (group: string): string =>
  `exists (select from job_holds as hold where hold.group_id = ${group} and hold.lapses_at is null)`

/** SQL: the groups that are held until somebody releases them. */
export const groupsHeldUntilReleased = 'select distinct group_id from job_holds where lapses_at is null'

export const insertHold = 'insert into job_holds (group_id, reason) values ($1, $2) on conflict do nothing'

export const deleteHold = 'delete from job_holds where group_id = $1 and reason = $2'

export const insertLapsingHold = `
  insert into job_holds (group_id, reason, lapses_at)
  values ($1, $2, clock_timestamp() + interval '1 millisecond' * $3)
  on conflict (group_id, reason) do update
  set lapses_at = excluded.lapses_at
  where job_holds.lapses_at <= clock_timestamp()
  returning lapses_at::text as mark`

export const extendHold = `
  update job_holds
  set lapses_at = clock_timestamp() + interval '1 millisecond' * $4
  where group_id = $1 and reason = $2 and lapses_at = $3::timestamptz and lapses_at > clock_timestamp()
  returning lapses_at::text as mark`

export const deleteLapsingHold = `
  delete from job_holds
  where group_id = $1
    and reason = $2
    and lapses_at = $3::timestamptz
    and ($4::float8 is null or lapses_at > clock_timestamp() + interval '1 millisecond' * $4::float8)
  returning group_id`
