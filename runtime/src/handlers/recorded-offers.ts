import type { Query } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { quantityJobs } from '../offers/quantity-jobs.ts'
import type { Recorded } from '../offers/reconcile/record-shown.ts'
import { remapJobs } from '../orders/lines/remap-jobs.ts'

/**
 * Returns the jobs that follow from a recording: write offers, and resume orders that waited for a
 * link.
 */
export async function jobsOfRecorded (
  query: Query,
  connectionId: string,
  recorded: Recorded,
  requestId?: string
): Promise<JobRequest[]> {
  const { offerIds, mapped } = recorded
  const [first] = mapped.linkedIds
  return [
    ...await quantityJobs(query, { offerIds }, requestId),
    ...first === undefined ? [] : await remapJobs(query, { connectionId }, first, requestId)
  ]
}
