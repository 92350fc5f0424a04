import type { Query } from '../database/database.ts'

/**
 * Why no job of a group begins: its connection is not active, or it moves to another adapter
 * version. A group is held as long as any reason stands.
 */
export type HoldReason = 'inactive' | 'moving'

/**
 * The time at which a hold lapses, as the database wrote it. It identifies the hold: a process with
 * an older mark can neither renew nor end it.
 */
export type HoldMark = string

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

/** Holds a group until it is released, or releases it. */
export async function setHold (query: Query, groupId: string, reason: HoldReason, isWanted: boolean): Promise<void> {
  await query(
    isWanted
      ? 'insert into job_holds (group_id, reason) values ($1, $2) on conflict do nothing'
      : 'delete from job_holds where group_id = $1 and reason = $2',
    [groupId, reason]
  )
}

/**
 * Holds a group for a time, because the process that asks for it may die. Answers the mark of the
 * hold, or undefined when another one for this reason stands.
 */
export async function holdFor (
  query: Query,
  groupId: string,
  reason: HoldReason,
  milliseconds: number
): Promise<HoldMark | undefined> {
  return markOf(await query<Marked>(
    `
    insert into job_holds (group_id, reason, lapses_at)
    values ($1, $2, clock_timestamp() + interval '1 millisecond' * $3)
    on conflict (group_id, reason) do update
    set lapses_at = excluded.lapses_at
    where job_holds.lapses_at <= clock_timestamp()
    returning lapses_at::text as mark`,
    [groupId, reason, milliseconds]
  ))
}

/**
 * Lets a hold stand for a time from now on. Answers its new mark, or undefined when it has lapsed.
 */
export async function renewHold (
  query: Query,
  groupId: string,
  reason: HoldReason,
  mark: HoldMark,
  milliseconds: number
): Promise<HoldMark | undefined> {
  return markOf(await query<Marked>(
    `
    update job_holds
    set lapses_at = clock_timestamp() + interval '1 millisecond' * $4
    where group_id = $1 and reason = $2 and lapses_at = $3::timestamptz and lapses_at > clock_timestamp()
    returning lapses_at::text as mark`,
    [groupId, reason, mark, milliseconds]
  ))
}

/**
 * Ends a hold that lapses. Answers whether it was there. With `leftMs` it ends only a hold that
 * would have stood that much longer: the caller still has to commit what the hold protects.
 */
export async function endHold (
  query: Query,
  groupId: string,
  reason: HoldReason,
  mark: HoldMark,
  leftMs?: number
): Promise<boolean> {
  const ended = await query(
    `
    delete from job_holds
    where group_id = $1
      and reason = $2
      and lapses_at = $3::timestamptz
      and ($4::float8 is null or lapses_at > clock_timestamp() + interval '1 millisecond' * $4::float8)
    returning group_id`,
    [groupId, reason, mark, leftMs ?? null]
  )
  return ended.length > 0
}

interface Marked {
  mark: HoldMark
}

function markOf ([row]: readonly Marked[]): HoldMark | undefined {
  return row?.mark
}
