import type { Query } from '../database/database.ts'
import { exclusionKeyOf } from '../jobs/identity.ts'
import type { ShownJob } from '../jobs/show-jobs.ts'
import { findUnendedCommands } from '../jobs/texts/store.ts'
import { createOrderAtShop } from './jobs.ts'
import type { AwaitedJob, OrderSummary } from './schemas.ts'

export interface AwaitedJobOptions {
  query: Query
  findJobs(ids: readonly string[]): Promise<ReadonlyMap<string, ShownJob>>
}

/**
 * Returns the job for which a ready order waits, and why that job does not run. Null: the order is
 * not ready, or no job is about to make it.
 */
export async function findAwaitedJob (
  { query, findJobs }: AwaitedJobOptions,
  { id, status, destination }: Pick<OrderSummary, 'id' | 'status' | 'destination'>
): Promise<AwaitedJob | null> {
  if (status !== 'ready' || destination === null) return null
  const request = createOrderAtShop.request({ orderId: id }, { connectionId: destination.connectionId, key: '' })
  const [command] = await findUnendedCommands(query, [exclusionKeyOf(createOrderAtShop, request)])
  const job = command && (await findJobs([command.id])).get(command.id)
  return job === undefined ? null : describeJob(job)
}

function describeJob ({ id, jobType, connectionId, status, waitsFor }: ShownJob): AwaitedJob {
  return {
    jobId: id,
    jobType,
    connectionId,
    status,
    ...waitsFor ?? { reason: null, detail: status === 'running' ? 'it runs now' : 'it has just ended' }
  }
}
