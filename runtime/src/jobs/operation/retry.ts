import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { ConnectionNotFoundException, JobNotFoundError, JobTypeUnknownError } from '../../errors.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { JobRecord, JobStatus } from '../job.ts'
import { getJob } from '../store.ts'
import { inOneOperation } from './in-one-operation.ts'
import type { FindObstacles } from './obstacles.ts'
import { createRetryLocked, type RetryLockedOptions } from './retry-locked.ts'
import { stateErrors } from './state-errors.ts'
import { lockJob } from './store.ts'

export interface RetryOptions extends RetryLockedOptions {
  database: Database
  findObstacles: FindObstacles
}

/**
 * Returns the function that runs a dead or cancelled job again. The job keeps its id, key, payload
 * and earlier attempts, and gets all its attempts anew.
 */
export function createRetry ({ database, findObstacles, ...options }: RetryOptions) {
  const retryLocked = createRetryLocked(options)

  async function retryIn (transaction: Transaction, id: string, request: RequestIds): Promise<void> {
    const { query } = transaction
    const job = await lockJob(query, id)
    if (job === undefined) throw new JobNotFoundError(id)
    if (job.operationIds.includes(request.operationId)) return
    const { status, jobType, connectionId } = job
    if (!isRetryable(status)) throw new stateErrors[status](id)
    await retryLocked(transaction, [job], request)
    await recordChange(query, {
      action: 'job.retry',
      connectionId: connectionId ?? undefined,
      objectId: job.id,
      objectName: jobType,
      changes: listChanges({ status }, { status: 'queued' }, () => false)
    })
  }

  /** While the connection is disabled, the job waits. */
  async function refuseObstacles (job: JobRecord): Promise<void> {
    const obstacleOf = await findObstacles(database.query, [job.connectionId])
    const obstacle = obstacleOf(job)
    if (obstacle === 'connection-deleted') throw new ConnectionNotFoundException(job.connectionId ?? '')
    if (obstacle === 'type-unknown') throw new JobTypeUnknownError(job.id, job.jobType)
  }

  return async function retryJob (id: string, request: RequestIds): Promise<void> {
    const job = await getJob(database.query, id)
    if (job === undefined) throw new JobNotFoundError(id)
    if (isRetryable(job.status)) await refuseObstacles(job)
    await inOneOperation(database, transaction => retryIn(transaction, id, request))
  }
}

function isRetryable (status: JobStatus): status is 'dead' | 'cancelled' {
  return status === 'dead' || status === 'cancelled'
}
