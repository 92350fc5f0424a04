import type { NamedConnection } from '../connections/accounts/store.ts'
import type { Query } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { syncOrder } from './jobs.ts'
import { takeRemovals } from './retention/store.ts'
import { isEnded } from './status.ts'
import { takeOrders } from './store.ts'

/**
 * Gives a connection the orders of a deleted one to the same account. Returns how many, and the
 * jobs that read those again that are not finished: the deletion ended their jobs.
 */
export async function takeOverOrders (
  query: Query,
  former: NamedConnection,
  connectionId: string
): Promise<{ count: number, jobs: JobRequest[] }> {
  await takeRemovals(query, former.id, connectionId)
  const taken = await takeOrders(query, former, connectionId)
  return {
    count: taken.length,
    jobs: taken.filter(({ status }) => !isEnded(status)).map(({ id, externalId }) =>
      syncOrder.request({ externalId }, { connectionId, key: `order-taken-over:${connectionId}:${id}` })
    )
  }
}
