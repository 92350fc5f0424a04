import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import { findConnections } from '../../connections/store.ts'
import { repeatOnConflict } from '../../database/conflict.ts'
import type { Database } from '../../database/database.ts'
import { isInfrastructureError } from '../../database/infrastructure-error.ts'
import { HubStoppingError, OrderNotFoundError } from '../../errors.ts'
import type { RequestIds } from '../../http/request-ids.ts'
import type { EnqueueJobs } from '../../jobs/enqueue.ts'
import { countOf } from '../../words.ts'
import { retryIn } from '../actions.ts'
import { summariesOf } from '../read-orders.ts'
import { lockOrder, readOrder } from '../store.ts'
import type { SkipReason } from './reasons.ts'
import { addUp, groupsOf, isRetryable, outcomeOf, type Candidate, type Skipped } from './rules.ts'
import type { OrderRetrySummary } from './schemas.ts'
import { countFinished, findCandidates, type RetryFilter } from './store.ts'

export interface OrderRetriesOptions {
  database: Database
  enqueueJobs: EnqueueJobs
  /** Aborts when the hub stops. */
  stopping: AbortSignal
  log: { error(fields: object, message: string): void }
  /** Default: 10 000. */
  most?: number
  /** Default: 20 seconds. */
  mostMs?: number
}

export interface OrderRetry {
  filter: RetryFilter
  /** Only orders behind this one. */
  after?: string | undefined
  dryRun: boolean
}

const mostRetried = 10_000
// Long before the lease of an Idempotency-Key ends (60 seconds), and before proxies give up.
const mostRetryingMs = 20_000
const chunkSize = 100
const sampleSize = 10

/** Why the orders of a connection are not retried. Undefined: they are. */
type ObstacleOf = (candidate: Candidate) => 'connection-deleted' | 'connection-disabled' | undefined

/** The result of a request so far. */
interface Done {
  /** How many of the candidates it reached. */
  reached: number
  retried: number
  skipped: Skipped[]
}

/**
 * Returns the function that retries all orders that meet a filter, the oldest first, each in a
 * transaction of its own. When the process dies half-way, a repetition of the request retries the
 * rest: it finds the orders that it retried before, and does nothing for them. Throws
 * `LNK_ORDER_NOT_FOUND` when there is no order `after`.
 */
export function createOrderRetries ({
  database,
  enqueueJobs,
  stopping,
  log,
  most = mostRetried,
  mostMs = mostRetryingMs
}: OrderRetriesOptions) {
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

  /** One order must not keep the others from being retried. */
  async function tryOne (id: string, ids: RequestIds): Promise<'retried' | SkipReason | undefined> {
    try {
      return await retryOne(id, ids)
    } catch (error) {
      if (isInfrastructureError(error)) throw error
      log.error({ err: error, orderId: id }, 'an order could not be retried; the others are')
      return 'retry-failed'
    }
  }

  /** Reaches at least one order, so that requests one after the other come to the end. */
  async function retryAll (candidates: readonly Candidate[], obstacleOf: ObstacleOf, ids: RequestIds): Promise<Done> {
    const endMs = performance.now() + mostMs
    const done: Done = { reached: 0, retried: 0, skipped: [] }
    for (const candidate of candidates) {
      if (done.reached > 0 && performance.now() >= endMs) break
      if (done.reached % chunkSize === 0) {
        if (stopping.aborted) throw new HubStoppingError()
        database.notify('jobs')
      }
      const outcome = obstacleOf(candidate) ?? await tryOne(candidate.id, ids)
      done.reached += 1
      if (outcome === 'retried') done.retried += 1
      else if (outcome !== undefined) done.skipped.push({ reason: outcome, count: 1 })
    }
    database.notify('jobs')
    return done
  }

  async function findObstacles (candidates: readonly Candidate[]): Promise<ObstacleOf> {
    const found = await findConnections(query, [...new Set(candidates.map(({ connectionId }) => connectionId))])
    const statuses = new Map(found.map(({ id, status }) => [id, status]))
    return ({ connectionId }) => {
      const status = statuses.get(connectionId)
      if (status === undefined) return 'connection-deleted'
      return status === 'disabled' ? 'connection-disabled' : undefined
    }
  }

  /**
   * The entry comes before the first order: none is retried without a record of who wanted it. A
   * request that finds no order leaves none.
   */
  async function record (filter: RetryFilter, count: number): Promise<void> {
    await recordChange(query, {
      action: 'order.retry',
      connectionId: filter.connectionId,
      objectName: countOf(count, 'order'),
      changes: count === 0 ? [] : listChanges({}, { ...filter }, () => false)
    })
  }

  return async function retryOrders (
    { filter, after, dryRun }: OrderRetry,
    ids: RequestIds
  ): Promise<OrderRetrySummary> {
    if (after !== undefined && await readOrder(query, after) === undefined) throw new OrderNotFoundError(after)
    const found = await findCandidates(query, { ...filter, after }, most + 1)
    const candidates = found.slice(0, most)
    const obstacleOf = await findObstacles(found)
    const isEligible = (candidate: Candidate): boolean => obstacleOf(candidate) === undefined
    const eligible = candidates.filter(isEligible)
    // The first request has counted them.
    const { finished, atMost } = after === undefined
      ? await countFinished(query, filter, most)
      : { finished: [], atMost: false }
    const sample = await summariesOf(query, eligible.slice(0, sampleSize).map(({ id }) => id))
    if (!dryRun) await record(filter, eligible.length)
    const { reached, retried, skipped } = dryRun
      ? { reached: candidates.length, retried: 0, skipped: obstaclesOf(candidates, obstacleOf) }
      : await retryAll(candidates, obstacleOf, ids)
    const remaining = candidates.slice(reached).filter(isEligible).length
    return {
      dryRun,
      matched: finished.reduce((sum, { count }) => sum + count, reached + remaining),
      eligible: eligible.length,
      retried,
      remaining,
      next: dryRun || found.length === reached ? null : candidates[reached - 1]?.id ?? null,
      skipped: addUp([...finished, ...skipped]),
      byGroup: groupsOf(candidates.slice(0, reached).filter(isEligible)),
      sample,
      atMost: atMost || found.length > reached
    }
  }
}

function obstaclesOf (candidates: readonly Candidate[], obstacleOf: ObstacleOf): Skipped[] {
  return candidates.map(obstacleOf).filter(reason => reason !== undefined).map(reason => ({ reason, count: 1 }))
}
