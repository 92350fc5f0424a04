import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { Cancellation, JobStatus, Lane } from '../job.ts'
import type { Problem } from '../retry-policy.ts'
import {
  lockStanding,
  selectWaiting,
  updateCancellation,
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

interface OperatedRow extends OperatedJob {
  coalescedInto: string | null
}

/**
 * Locks a job until the transaction ends, or the job that stands for it. Undefined: no job has this
 * id.
 */
export async function lockJob (query: Query, id: string): Promise<OperatedJob | undefined> {
  const [row] = await query<OperatedRow>(lockStanding, [id])
  // While this statement waited for the lock, another job may have begun to stand for this one.
  return row === undefined || row.coalescedInto === null ? row : lockJob(query, row.coalescedInto)
}

/**
 * Lets an ended job run again, under the same id. When a job of its object waits already, that job
 * stands for it. Throws a unique violation when another transaction stores such a job meanwhile.
 */
export async function requeue (query: Query, { id, lane, objectKey }: OperatedJob, operationId: string): Promise<void> {
  const [waiting] = lane === 'state' ? await query<{ id: string }>(selectWaiting, [objectKey]) : []
  await (waiting === undefined
    ? query(updateToQueued, [id, operationId])
    : query(updateToCoalesced, [id, waiting.id, objectKey, operationId]))
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
