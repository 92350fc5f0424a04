import type { Query } from '../database/database.ts'
import type { Position } from '../http/paging.ts'
import { removeAfter, type RemovedStep, type Retention } from './store.ts'

/** How long the hub keeps jobs. It keeps redrives as long as dead jobs. */
export const retention: Retention = { finishedDays: 14, deadDays: 30 }

const mostInOneStatement = 1_000
const beforeAll: Position = { createdAt: '-infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/**
 * Removes jobs that ended long ago, a thousand at a time, so that no other work waits for it.
 * Returns how many. Keeps jobs that have not ended, and coalesced jobs as long as the job that
 * stands for them exists.
 */
export async function removeOldJobs (query: Query, retention: Retention, signal?: AbortSignal): Promise<number> {
  let total = 0
  for (let position: Position | undefined = beforeAll; position !== undefined && signal?.aborted !== true;) {
    const { removed, last }: RemovedStep = await removeAfter(query, position, retention, mostInOneStatement)
    total += removed
    position = last
  }
  return total
}
