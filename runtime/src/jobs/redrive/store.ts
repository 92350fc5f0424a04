import { isDeepStrictEqual } from 'node:util'
import type { AuditActor } from '../../audit/schemas.ts'
import type { Query } from '../../database/database.ts'
import type { Position } from '../../http/paging.ts'
import { conditionsOf, type AddValue, type JobConditions } from '../conditions.ts'
import { describeProgress, figuresOf, type Fate, type FateCount, type Figures } from './figures.ts'
import type { OpenRedrive } from './next-step.ts'
import type { RedriveItem } from './plan-jobs.ts'
import type { RedriveFilter, RedrivePlan, RedriveState, RedriveView, SkipReason } from './schemas.ts'
import {
  countFates,
  countLeftOut,
  deleteOld,
  insertDead,
  insertLeftOut,
  insertRedrive,
  isNamed,
  lockOpen,
  lockRedrive,
  selectGroups,
  selectNext,
  selectOldest,
  selectOpen,
  selectRedrive,
  selectRedrives,
  selectWaiting,
  updateClosed,
  updateContinued,
  updateEnded,
  updateFates,
  updateFigures,
  updateIsMore,
  updateNextAt,
  updateStopped
} from './statements.ts'

/** Which dead jobs a redrive takes. */
export interface DeadJobs extends JobConditions {
  jobIds?: readonly string[] | undefined
}

type Write = (conditions: readonly string[], value: AddValue) => string

/** A statement over the jobs that meet a filter, whether it names them or not; with its values. */
function overMatching ({ jobIds: _jobIds, ...conditions }: DeadJobs, write: Write): [string, unknown[]] {
  const values: unknown[] = []
  const value: AddValue = given => `$${values.push(given)}`
  return [write(conditionsOf(conditions, value), value), values]
}

/** A statement over dead jobs, with its values. */
function overDead (wanted: DeadJobs, write: Write): [string, unknown[]] {
  const { jobIds } = wanted
  return overMatching(
    wanted,
    (conditions, value) => write([...conditions, ...(jobIds === undefined ? [] : [isNamed(value(jobIds))])], value)
  )
}

export type DeadGroup = Omit<RedrivePlan['byGroup'][number], 'connectionName'>

/** Groups the oldest dead jobs by connection, type and problem. */
export async function groupDead (
  query: Query,
  wanted: DeadJobs,
  limit: number
): Promise<{ groups: DeadGroup[], atMost: boolean }> {
  const statement = overDead(wanted, (conditions, value) => selectGroups(conditions, value(limit)))
  const rows = await query<DeadGroup & { atMost: boolean }>(...statement)
  return {
    groups: rows.map(({ atMost: _atMost, ...group }) => group),
    atMost: rows.some(({ atMost }) => atMost)
  }
}

/** The ids of the oldest dead jobs. */
export async function findOldest (query: Query, wanted: DeadJobs, limit: number): Promise<string[]> {
  const statement = overDead(wanted, (conditions, value) => selectOldest(conditions, value(limit)))
  return (await query<{ id: string }>(...statement)).map(({ id }) => id)
}

/** Counts the named jobs that are not dead, or do not meet the other members of the filter. */
export async function countNamedLeftOut (
  query: Query,
  wanted: DeadJobs
): Promise<{ reason: SkipReason, count: number }[]> {
  const { jobIds } = wanted
  if (jobIds === undefined) return []
  return query(...overMatching(wanted, (conditions, value) => countLeftOut(conditions, value(jobIds))))
}

export interface NewRedrive {
  id: string
  filter: RedriveFilter
  first: number | null
  perMinute: number | null
  requestId: string
  startedBy: AuditActor
}

/** Stores a redrive. Answers false when it is there already. */
export async function storeRedrive (
  query: Query,
  { id, filter, first, perMinute, requestId, startedBy }: NewRedrive
): Promise<boolean> {
  const values = [id, JSON.stringify(filter), first, perMinute, requestId, JSON.stringify(startedBy)]
  return (await query(insertRedrive, values)).length > 0
}

/** Fixes the jobs of a redrive: the oldest ones, and the named ones that it skips. */
export async function storeJobs (query: Query, id: string, wanted: DeadJobs, limit: number): Promise<void> {
  const statement = overDead(wanted, (conditions, value) => insertDead(conditions, value(id), value(limit)))
  const [stored] = await query<{ count: number, atMost: boolean }>(...statement)
  if (stored?.atMost === true) await query(updateIsMore, [id])
  const { jobIds } = wanted
  if (jobIds === undefined) return
  await query(...overMatching(
    wanted,
    (conditions, value) =>
      insertLeftOut(conditions, { ids: value(jobIds), redriveId: value(id), behind: value(stored?.count ?? 0) })
  ))
}

type RedriveRow = Omit<RedriveView, keyof Figures | 'detail'> & { figures: Figures }

function viewOf ({ figures, ...row }: RedriveRow): RedriveView {
  return { ...row, ...figures, detail: describeProgress(row.state, figures) }
}

export async function readRedrive (query: Query, id: string): Promise<RedriveView | undefined> {
  const [row] = await query<RedriveRow>(selectRedrive, [id])
  return row === undefined ? undefined : viewOf(row)
}

/** Newest first. */
export async function listRedrives (
  query: Query,
  { after, limit }: { after?: Position | undefined, limit: number }
): Promise<RedriveView[]> {
  return (await query<RedriveRow>(selectRedrives, [after?.createdAt ?? null, after?.id ?? null, limit])).map(viewOf)
}

/** The redrives that wait until somebody continues or stops them, the oldest first. */
export async function listWaiting (query: Query, limit: number): Promise<RedriveView[]> {
  return (await query<RedriveRow>(selectWaiting, [limit])).map(viewOf)
}

/** The redrives on which the hub has to work. */
export async function findOpen (query: Query): Promise<string[]> {
  return (await query<{ id: string }>(selectOpen)).map(({ id }) => id)
}

/** A redrive that this transaction has locked. */
export interface LockedRedrive extends OpenRedrive {
  id: string
  filter: RedriveFilter
  requestId: string | null
  figures: Figures
}

/** Locks a redrive for a step. Undefined: another process takes one, or it needs none. */
export async function lockForStep (query: Query, id: string): Promise<LockedRedrive | undefined> {
  return (await query<LockedRedrive>(lockOpen, [id]))[0]
}

/** Locks a redrive. It waits for the end of a step. Undefined: no redrive has this id. */
export async function lockForChange (query: Query, id: string): Promise<LockedRedrive | undefined> {
  return (await query<LockedRedrive>(lockRedrive, [id]))[0]
}

/** Notes which of the jobs have ended, and how. */
export async function noteEnds (query: Query, id: string): Promise<void> {
  await query(updateEnded, [id])
}

/** Counts the fates of the jobs of a redrive, and stores the sums when they differ from `known`. */
export async function recount (query: Query, id: string, known?: Figures): Promise<Figures> {
  const figures = figuresOf(await query<FateCount>(countFates, [id]))
  if (!isDeepStrictEqual(figures, known)) await query(updateFigures, [id, JSON.stringify(figures)])
  return figures
}

/** The first jobs that a redrive has not reached. */
export async function nextItems (query: Query, id: string, limit: number): Promise<RedriveItem[]> {
  return query<RedriveItem>(selectNext, [id, limit])
}

export interface DecidedFate {
  position: number
  fate: Fate
  reason?: string
}

export async function storeFates (query: Query, id: string, fates: readonly DecidedFate[]): Promise<void> {
  await query(updateFates, [id, JSON.stringify(fates)])
}

/** Lets a redrive rest after a step. */
export async function restAfterStep (query: Query, id: string, restMs: number): Promise<void> {
  await query(updateNextAt, [id, restMs])
}

/** Ends the work of the hub with a redrive. */
export async function closeRedrive (query: Query, id: string, state: RedriveState): Promise<void> {
  await query(updateClosed, [id, state])
}

export async function storeContinued (query: Query, id: string): Promise<void> {
  await query(updateContinued, [id])
}

export async function storeStopped (query: Query, id: string): Promise<void> {
  await query(updateStopped, [id])
}

/** Removes some redrives that ended long ago. Returns how many. */
export async function removeOld (query: Query, days: number, limit: number): Promise<number> {
  return (await query(deleteOld, [days, limit])).length
}
