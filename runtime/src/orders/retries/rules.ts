import type { Enqueued, JobRequest } from '../../jobs/job.ts'
import { createOrderAtShop, syncOrder } from '../jobs.ts'
import type { OrderStatus } from '../status.ts'
import { otherStatuses, retryableStatuses, type RetryableStatus, type SkipReason } from './reasons.ts'

export function isRetryable (status: OrderStatus): status is RetryableStatus {
  return retryableStatuses.some(retryable => retryable === status)
}

/** The same in SQL, over rows of `orders`. An index has these orders. */
export const retryableSql = isOneOf(retryableStatuses)

/** SQL: the other orders. PostgreSQL finds them in an index that has the status between others. */
export const otherSql = isOneOf(otherStatuses)

function isOneOf (statuses: readonly OrderStatus[]): string {
  return `orders.status in (${statuses.map(status => `'${status}'`).join(', ')})`
}

/** Says whether an order was retried, or why not. `enqueued` has one entry for each of `jobs`. */
export function outcomeOf (jobs: readonly JobRequest[], enqueued: readonly Enqueued[]): 'retried' | SkipReason {
  const index = jobs.findIndex(({ jobType }) => jobType === createOrderAtShop.type || jobType === syncOrder.type)
  if (index === -1) return 'not-created'
  return enqueued[index]?.isNew === true ? 'retried' : 'already-retried'
}

/** An order that can be retried. */
export interface Candidate {
  id: string
  connectionId: string
  status: RetryableStatus
  /** The code of its last problem. */
  code: string | null
}

export interface Group extends Omit<Candidate, 'id'> {
  count: number
}

/** Counts orders by marketplace, status and last problem, the largest group first. */
export function groupsOf (candidates: readonly Candidate[]): Group[] {
  const groups = Map.groupBy(
    candidates,
    ({ connectionId, status, code }) => JSON.stringify([connectionId, status, code])
  )
  return [...groups.values()].flatMap(members => {
    const [first] = members
    if (first === undefined) return []
    const { id: _id, ...group } = first
    return [{ ...group, count: members.length }]
  }).toSorted((a, b) => b.count - a.count)
}

export interface Skipped {
  reason: SkipReason
  count: number
}

/** Adds up how many orders were skipped for each reason, the most frequent first. */
export function addUp (skipped: readonly Skipped[]): Skipped[] {
  const counts = new Map<SkipReason, number>()
  for (const { reason, count } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + count)
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count)
}
