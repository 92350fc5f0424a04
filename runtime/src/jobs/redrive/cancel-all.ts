import { currentActor } from '../../audit/actor.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { recordChange } from '../../audit/store.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { problemOf } from '../operation/cancellation.ts'
import { inOneTransaction } from '../operation/in-one-operation.ts'
import { endDead, lockJobs } from '../operation/store.ts'
import { mostInOneStep } from './next-step.ts'
import type { RedriveFilter } from './schemas.ts'
import { findOldest, type DeadJobs } from './store.ts'

export interface CancelAllRequest {
  wanted: DeadJobs
  /** The filter as it was asked for. The audit shows it. */
  filter: RedriveFilter
  reason: string | null
  operationId: string
  most: number
}

/**
 * Ends dead jobs as cancelled, the oldest first. Each transaction takes some of them and has an
 * entry of its own in the audit, so a process that dies meanwhile leaves no job half done. Returns
 * how many.
 */
export async function cancelAll (database: Database, { most, ...request }: CancelAllRequest): Promise<number> {
  let cancelled = 0
  while (cancelled < most) {
    const limit = Math.min(mostInOneStep, most - cancelled)
    const step = await inOneTransaction(database, transaction => cancelSome(transaction, limit, request))
    if (step === 0) break
    cancelled += step
  }
  return cancelled
}

async function cancelSome (
  { query }: Transaction,
  limit: number,
  { wanted, filter, reason, operationId }: Omit<CancelAllRequest, 'most'>
): Promise<number> {
  const ids = await findOldest(query, wanted, limit)
  // Somebody may have run one again since it was found.
  const dead = (await lockJobs(query, ids)).filter(({ id, askedId, status }) => status === 'dead' && id === askedId)
  const cancelling = { by: currentActor().name, reason, operationId }
  if (dead.length > 0) {
    await endDead(query, dead.map(({ id }) => id), cancelling, problemOf(cancelling))
    await recordChange(query, {
      action: 'job.cancel',
      connectionId: filter.connectionId,
      changes: listChanges({}, { filter, ...reason === null ? {} : { reason }, cancelled: dead.length }, () => false)
    })
  }
  return dead.length
}
