import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database } from '../../database/database.ts'
import { HubStoppingError } from '../../errors.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { retryIn } from '../actions.ts'
import { summariesOf } from '../read-orders.ts'
import { lockOrder } from '../store.ts'
import { addUp, groupsOf, isRetryable, outcomeOf, type Candidate, type SkipReason, type Skipped } from './rules.ts'
import type { OrderRetrySummary } from './schemas.ts'
import { countFinished, findCandidates, type RetryFilter } from './store.ts'

export interface OrderRetriesOptions {
  database: Database
  enqueueJobs: EnqueueJobs
  /** Aborts when the hub stops. */
  stopping: AbortSignal
  /** Default: 10 000. */
  most?: number
}

const mostRetried = 10_000
const chunkSize = 100
const sampleSize = 10

/**
 * Returns the function that retries all orders that meet a filter, the oldest first, each in a
 * transaction of its own. When the process dies half-way, a repetition of the request retries the
 * rest: it finds the orders that it retried before, and does nothing for them.
 */
export function createOrderRetries ({ database, enqueueJobs, stopping, most = mostRetried }: OrderRetriesOptions) {
  const { query } = database

  async function retryOne (id: string, ids: RequestIds): Promise<'retried' | SkipReason | undefined> {
    return repeatOnConflict(() =>
      database.transaction(async transaction => {
        const order = await lockOrder(transaction.query, id)
        if (order === undefined) return undefined
        if (!isRetryable(order.status)) return order.status
        const jobs = await retryIn(transaction, order, ids)
        return outcomeOf(jobs, await enqueueJobs(jobs, transaction))
      })
    )
  }

  /** Returns how many orders were retried, and why others were not. */
  async function retryAll (
    candidates: readonly Candidate[],
    ids: RequestIds
  ): Promise<{ retried: number, skipped: Skipped[] }> {
    let retried = 0
    const skipped: Skipped[] = []
    for (let start = 0; start < candidates.length; start += chunkSize) {
      if (stopping.aborted) throw new HubStoppingError()
      for (const { id } of candidates.slice(start, start + chunkSize)) {
        const outcome = await retryOne(id, ids)
        if (outcome === 'retried') retried += 1
        else if (outcome !== undefined) skipped.push({ reason: outcome, count: 1 })
      }
      database.notify('jobs')
    }
    return { retried, skipped }
  }

  /**
   * The entry comes before the first order: none is retried without a record of who wanted it. A
   * request that finds no order leaves none.
   */
  async function record (filter: RetryFilter, count: number): Promise<void> {
    await recordChange(query, {
      action: 'order.retry',
      connectionId: filter.connectionId,
      objectName: `${count} orders`,
      changes: count === 0 ? [] : listChanges({}, { ...filter }, () => false)
    })
  }

  return async function retryOrders (
    { filter, dryRun }: { filter: RetryFilter, dryRun: boolean },
    ids: RequestIds
  ): Promise<OrderRetrySummary> {
    const [found, finished] = [
      await findCandidates(query, filter, most + 1),
      await countFinished(query, filter, most + 1)
    ]
    const candidates = found.slice(0, most)
    const others = finished.reduce((sum, { count }) => sum + count, 0)
    const sample = await summariesOf(query, candidates.slice(0, sampleSize).map(({ id }) => id))
    if (!dryRun) await record(filter, candidates.length)
    const { retried, skipped } = dryRun ? { retried: 0, skipped: [] } : await retryAll(candidates, ids)
    return {
      dryRun,
      matched: candidates.length + Math.min(others, most),
      eligible: candidates.length,
      retried,
      skipped: addUp([...finished, ...skipped]),
      byGroup: groupsOf(candidates),
      sample,
      atMost: found.length > most || others > most
    }
  }
}
