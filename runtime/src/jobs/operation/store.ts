import { randomUUID } from 'node:crypto'
import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { Cancellation, JobStatus, Lane } from '../job.ts'
import type { Problem } from '../retry-policy.ts'
import { problemOf } from './cancellation.ts'
import {
  lockStanding,
  selectDeadOf,
  selectWaiting,
  updateCancellation,
  updateDeadToCancelled,
  updateSucceededToDead,
  updateToCancelled,
  updateToCoalesced,
  updateToQueued
} from './statements.ts'

/** A job that an operator wants to change. */
export interface OperatedJob {
  id: string
  jobType: string
  lane: Lane
  connectionId: string | null
  objectKey: string
  payload: Readonly<Record<string, unknown>>
  status: JobStatus
  /** The requests that last ran it again or cancelled it. */
  operationIds: readonly (string | null)[]
}

/** A locked job, or the job that stands for it. */
export interface LockedJob extends OperatedJob {
  askedId: string
  /** As PostgreSQL writes it. Null: the job is not dead. */
  diedAt: string | null
  /** Another job began to stand for this one while the statement waited for the lock. */
  coalescedInto: string | null
}

/**
 * Locks jobs until the transaction ends, or the jobs that stand for them. Leaves out ids that no
 * job has.
 */
export async function lockJobs (query: Query, ids: readonly string[]): Promise<LockedJob[]> {
  return query<LockedJob>(lockStanding, [ids])
}

/**
 * Locks a job until the transaction ends, or the job that stands for it. Undefined: no job has this
 * id.
 */
export async function lockJob (query: Query, id: string): Promise<OperatedJob | undefined> {
  const [job] = await lockJobs(query, [id])
  return job === undefined || job.coalescedInto === null ? job : lockJob(query, job.coalescedInto)
}

/**
 * Lets ended jobs run again, under the same ids. A job of state is merged with the one of its
 * object that waits already, or with an earlier one of these jobs. Throws a unique violation when
 * another transaction stores a job of the same object meanwhile.
 */
export async function requeue (query: Query, jobs: readonly OperatedJob[], operationId: string): Promise<void> {
  const standIns = await findStandIns(query, jobs)
  const [queued, coalesced] = [
    jobs.filter(({ id }) => !standIns.has(id)),
    jobs.flatMap(({ id, objectKey }) => {
      const standIn = standIns.get(id)
      return standIn === undefined ? [] : [{ id, standIn, objectKey }]
    })
  ]
  if (queued.length > 0) await query(updateToQueued, [queued.map(({ id }) => id), operationId])
  if (coalesced.length > 0) await query(updateToCoalesced, [JSON.stringify(coalesced), operationId])
}

/** The job that will stand for each of these jobs that does not run itself. */
async function findStandIns (query: Query, jobs: readonly OperatedJob[]): Promise<ReadonlyMap<string, string>> {
  const ofState = jobs.filter(({ lane }) => lane === 'state')
  if (ofState.length === 0) return new Map()
  const keys = [...new Set(ofState.map(({ objectKey }) => objectKey))]
  const waiting = await query<{ id: string, objectKey: string }>(selectWaiting, [keys])
  const first = new Map(waiting.map(({ id, objectKey }) => [objectKey, id]))
  return new Map(ofState.flatMap(({ id, objectKey }) => {
    const standIn = first.get(objectKey)
    if (standIn !== undefined) return [[id, standIn] as const]
    first.set(objectKey, id)
    return []
  }))
}

/** Who wants a job to end, and why. */
export type Cancelling = Omit<Cancellation, 'requestedAt'> & { operationId: string }

/** Asks the worker that runs the job to end it. */
export async function storeCancellation (
  query: Query,
  id: string,
  { by, reason, operationId }: Cancelling
): Promise<void> {
  await query(updateCancellation, [id, by, reason, operationId])
}

/** Ends a job that does not run. */
export async function endCancelled (
  query: Query,
  id: string,
  { by, reason, operationId }: Cancelling,
  problem: Problem
): Promise<void> {
  await query(updateToCancelled, [id, by, reason, operationId, toStorableJson(problem)])
}

/** Ends dead jobs as cancelled. Their problem also names the code of which they had died. */
export async function endDead (
  query: Query,
  ids: readonly string[],
  { by, reason, operationId }: Cancelling,
  { message }: Problem
): Promise<void> {
  await query(updateDeadToCancelled, [ids, by, reason, operationId, message])
}

/** A job that ended well, and why its work did not last. */
export interface Undone {
  id: string
  problem: Problem
}

/**
 * Lets jobs die that had succeeded: the platform took their work first and refused it later. Leaves
 * out ids that no succeeded job has.
 */
export async function endLater (query: Query, undone: readonly Undone[]): Promise<void> {
  if (undone.length > 0) await query(updateSucceededToDead, [toStorableJson(undone)])
}

/** Ends the dead jobs of these objects as cancelled: a later job does or has done their work. */
export async function endOutdated (query: Query, objectKeys: readonly string[], reason: string): Promise<void> {
  if (objectKeys.length === 0) return
  const dead = await query<{ id: string }>(selectDeadOf, [objectKeys])
  if (dead.length === 0) return
  const cancelling = { by: 'hub', reason, operationId: randomUUID() }
  await endDead(query, dead.map(({ id }) => id), cancelling, problemOf(cancelling))
}
