import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { JobNotFoundError, JobTypeUnknownError } from '../../errors.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { EnqueueJobs } from '../enqueue.ts'
import type { JobRecord, JobStatus } from '../job.ts'
import type { FindRetryEffects } from '../running-job.ts'
import { getJob } from '../store.ts'
import { inOneOperation } from './in-one-operation.ts'
import { stateErrors } from './state-errors.ts'
import { lockJob, requeue } from './store.ts'

export interface RetryOptions {
  database: Database
  enqueueJobs: EnqueueJobs
  /**
   * Whether jobs of this type can run on this connection. Throws `LNK_CONNECTION_NOT_FOUND` when
   * the connection is gone.
   */
  canRun(job: Pick<JobRecord, 'jobType' | 'connectionId'>): Promise<boolean>
  findRetryEffects: FindRetryEffects
}

/**
 * Returns the function that runs a dead or cancelled job again. The job keeps its id, key, payload
 * and earlier attempts, and gets all its attempts anew.
 */
export function createRetry ({ database, enqueueJobs, canRun, findRetryEffects }: RetryOptions) {
  async function retryIn (transaction: Transaction, id: string, request: RequestIds): Promise<void> {
    const { query } = transaction
    const job = await lockJob(query, id)
    if (job === undefined) throw new JobNotFoundError(id)
    if (job.operationIds.includes(request.operationId)) return
    const { status, jobType, connectionId } = job
    if (!isRetryable(status)) throw new stateErrors[status](id)
    await requeue(query, job, request.operationId)
    await enqueueJobs(await findRetryEffects(jobType)?.(transaction, job, request.requestId) ?? [], transaction)
    await recordChange(query, {
      action: 'job.retry',
      connectionId: connectionId ?? undefined,
      objectId: job.id,
      objectName: jobType,
      changes: listChanges({ status }, { status: 'queued' }, () => false)
    })
  }

  return async function retryJob (id: string, request: RequestIds): Promise<void> {
    const job = await getJob(database.query, id)
    if (job === undefined) throw new JobNotFoundError(id)
    if (isRetryable(job.status) && !await canRun(job)) throw new JobTypeUnknownError(id, job.jobType)
    await inOneOperation(database, transaction => retryIn(transaction, id, request))
  }
}

function isRetryable (status: JobStatus): status is 'dead' | 'cancelled' {
  return status === 'dead' || status === 'cancelled'
}
