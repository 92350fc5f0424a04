import type { Transaction } from '../../database/database.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { EnqueueJobs } from '../enqueue.ts'
import type { JobRequest } from '../job.ts'
import type { FindRetryEffects } from '../running-job.ts'
import { requeue, type OperatedJob } from './store.ts'

export interface RetryLockedOptions {
  enqueueJobs: EnqueueJobs
  findRetryEffects: FindRetryEffects
}

/** The ids of the request that led to a retry. An operation of the hub may have no request. */
export type RetryIds = Pick<RequestIds, 'operationId'> & { requestId: string | undefined }

/**
 * Returns the function that runs ended jobs again. The transaction holds their locks. Each job
 * keeps its id, key, payload and earlier attempts, and gets all its attempts anew.
 */
export function createRetryLocked ({ enqueueJobs, findRetryEffects }: RetryLockedOptions) {
  return async function retryLocked (
    transaction: Transaction,
    jobs: readonly OperatedJob[],
    { operationId, requestId }: RetryIds
  ): Promise<void> {
    await requeue(transaction.query, jobs, operationId)
    const following: JobRequest[] = []
    for (const job of jobs) following.push(...await findRetryEffects(job.jobType)?.(transaction, job, requestId) ?? [])
    await enqueueJobs(following, transaction)
  }
}
