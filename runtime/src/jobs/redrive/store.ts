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
  countNotDead,
  deleteOld,
  insertDead,
  insertNotDead,
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

/** A statement over dead jobs, with its values. */
function overDead (
  { jobIds, ...conditions }: DeadJobs,
  write: (conditions: readonly string[], value: AddValue) => string
): [string, unknown[]] {
  const values: unknown[] = []
  const value: AddValue = given => `$${values.push(given)}`
  const found = [
    ...conditionsOf(conditions, value),
    ...(jobIds === undefined ? [] : [isNamed(value(jobIds))])
  ]
  return [write(found, value), values]
}

export type DeadGroup = Omit<RedrivePlan['byGroup'][number], 'connectionName'>

/** Groups the oldest dead jobs by connection, type and problem. */
export async function groupDead (
  query: Query,
  wanted: DeadJobs,
  limit: number
): Promise<{ groups: DeadGroup[], isMore: boolean }> {
  const statement = overDead(wanted, (conditions, value) => selectGroups(conditions, value(limit)))
  const rows = await query<DeadGroup & { isMore: boolean }>(...statement)
  return {
    groups: rows.map(({ isMore: _isMore, ...group }) => group),
    isMore: rows.some(({ isMore }) => isMore)
  }
}

/** The ids of the oldest dead jobs. */
export async function findOldest (query: Query, wanted: DeadJobs, limit: number): Promise<string[]> {
  const statement = overDead(wanted, (conditions, value) => selectOldest(conditions, value(limit)))
  return (await query<{ id: string }>(...statement)).map(({ id }) => id)
}

/** Counts the named jobs that are not dead. */
export async function countNamedNotDead (
  query: Query,
  { jobIds }: Pick<DeadJobs, 'jobIds'>
): Promise<{ reason: SkipReason, count: number }[]> {
  return jobIds === undefined ? [] : query(countNotDead, [jobIds])
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

/** Fixes the jobs of a redrive: the oldest ones, and the named ones that are not dead. */
export async function storeJobs (query: Query, id: string, wanted: DeadJobs, limit: number): Promise<void> {
  const statement = overDead(wanted, (conditions, value) => insertDead(conditions, value(id), value(limit)))
  const [stored] = await query<{ count: number, isMore: boolean }>(...statement)
  if (stored?.isMore === true) await query(updateIsMore, [id])
  if (wanted.jobIds !== undefined) await query(insertNotDead, [wanted.jobIds, id, stored?.count ?? 0])
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
