import { currentActor } from '../../audit/actor.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { JobNotFoundError } from '../../errors.ts'
import type { FindDeathEffects } from '../running-job.ts'
import { problemOf } from './cancellation.ts'
import { inOneOperation } from './in-one-operation.ts'
import { stateErrors } from './state-errors.ts'
import { endCancelled, endDead, lockJob, storeCancellation, type Cancelling, type OperatedJob } from './store.ts'

export interface CancelOptions {
  database: Database
  findDeathEffects: FindDeathEffects
}

export interface CancelRequest {
  reason: string | null
  operationId: string
}

/**
 * Returns the function that cancels a job. A job that does not run ends at once. A job that runs
 * ends when its worker has broken it off, or as its handler ends it before that. A dead job had its
 * effects when it died.
 */
export function createCancel ({ database, findDeathEffects }: CancelOptions) {
  async function end (transaction: Transaction, job: OperatedJob, cancelling: Cancelling): Promise<void> {
    const problem = problemOf(cancelling)
    await endCancelled(transaction.query, job.id, cancelling, problem)
    await findDeathEffects(job.jobType)?.(transaction, job, problem)
  }

  async function cancelIn (transaction: Transaction, id: string, request: CancelRequest): Promise<void> {
    const { query } = transaction
    const job = await lockJob(query, id)
    if (job === undefined) throw new JobNotFoundError(id)
    if (job.operationIds.includes(request.operationId)) return
    const { status, jobType, connectionId } = job
    if (status === 'succeeded' || status === 'cancelled') throw new stateErrors[status](id)
    const cancelling = { ...request, by: currentActor().name }
    if (status === 'running') await storeCancellation(query, job.id, cancelling)
    else if (status === 'dead') await endDead(query, [job.id], cancelling, problemOf(cancelling))
    else await end(transaction, job, cancelling)
    await recordChange(query, {
      action: 'job.cancel',
      connectionId: connectionId ?? undefined,
      objectId: job.id,
      objectName: jobType,
      changes: changesOf(status, request.reason)
    })
  }

  return async function cancelJob (id: string, request: CancelRequest): Promise<void> {
    await inOneOperation(database, transaction => cancelIn(transaction, id, request))
    database.notify('cancellations')
  }
}

function changesOf (status: string, reason: string | null) {
  const cause = reason === null ? {} : { reason }
  return listChanges({ status }, { status: 'cancelled', ...cause }, () => false)
}
