import { isStorableText } from '@linker/sdk/host/text'
import { repeatOnConflict } from '../database/conflict.ts'
import type { Database, Transaction } from '../database/database.ts'
import { InvalidRequestError } from '../errors.ts'
import { isUuid } from '../text-patterns.ts'
import { exclusionKeyOf, jobIdOf } from './identity.ts'
import type { Enqueued, JobRequest, JobType } from './job.ts'
import { findKnown, storeCoalesced, storeQueued, type Draft } from './store.ts'

/**
 * Stores jobs, all or none, and returns one entry per request in the same order. A known key
 * answers with its job. With a transaction, the jobs become visible at its commit, and the caller
 * then wakes the workers by `database.notify('jobs')`.
 */
export type EnqueueJobs = (requests: readonly JobRequest[], transaction?: Transaction) => Promise<Enqueued[]>

const mostRounds = 100

export function createEnqueue ({ database, jobTypeOf }: {
  database: Database,
  jobTypeOf(name: string): JobType
}): EnqueueJobs {
  /**
   * A waiting job of the same object stands for a new state job too. It may begin to run between
   * the refused insert and the look for it; then the insert succeeds in the next round.
   */
  async function store (requests: readonly JobRequest[], { query }: Transaction): Promise<Enqueued[]> {
    const drafts = requests.map((request, position) => draftOf(request, position, jobTypeOf(request.jobType)))
    const fresh = new Set<Draft>()
    // Two transactions that insert the same keys in different orders would wait for each other for
    // ever.
    let left = inOrder(drafts)
    for (let round = 0; left.length > 0; round++) {
      if (round === mostRounds) throw new Error(`job '${left[0]?.id}' could be neither queued nor coalesced`)
      left = without(left, await storeQueued(query, left), fresh)
      if (left.length === 0) break
      const known = await findKnown(query, left.map(({ id }) => id))
      left = left.filter(({ id }) => !known.has(id))
      left = without(left, await storeCoalesced(query, left), fresh)
    }
    return drafts.map(draft => ({ id: draft.id, isNew: fresh.has(draft) }))
  }

  return async function enqueueJobs (requests, transaction) {
    if (requests.length === 0) return []
    if (transaction !== undefined) return store(requests, transaction)
    const enqueued = await repeatOnConflict(() => database.transaction(own => store(requests, own)))
    database.notify('jobs')
    return enqueued
  }
}

function draftOf (request: JobRequest, position: number, type: JobType): Draft {
  const problem = problemOf(request)
  if (problem !== undefined) {
    throw new InvalidRequestError(`job ${position} (${JSON.stringify(request.jobType)}): ${problem}`)
  }
  const { lane, objectKey } = request.delayMs === undefined ? type : delayedType(request)
  return {
    id: jobIdOf(request.idempotencyKey),
    lane,
    exclusionKey: exclusionKeyOf({ lane, objectKey }, request),
    position,
    request
  }
}

/** A waiting job stands for later jobs of its object. A job with a long delay must not. */
function delayedType ({ idempotencyKey }: JobRequest): JobType {
  return { lane: 'state', objectKey: () => `delayed:${idempotencyKey}` }
}

/**
 * Names what PostgreSQL would refuse in a request, or undefined. One refused row would fail the
 * whole batch.
 */
function problemOf ({ jobType, connectionId, idempotencyKey, requestId = '' }: JobRequest): string | undefined {
  if (connectionId !== null && !isUuid(connectionId)) return '`connectionId` is not a UUID'
  if (jobType === '' || idempotencyKey === '') return '`jobType` and `idempotencyKey` must not be empty'
  if (![jobType, idempotencyKey, requestId].every(isStorableText)) {
    return '`jobType`, `idempotencyKey` or `requestId` holds a NUL character or half of a surrogate pair'
  }
  return undefined
}

/**
 * Returns the drafts that were not stored. When two drafts have one id, the first one was stored.
 */
function without (drafts: readonly Draft[], stored: Set<string>, fresh: Set<Draft>): Draft[] {
  return drafts.filter(draft => {
    if (!stored.delete(draft.id)) return true
    fresh.add(draft)
    return false
  })
}

function inOrder (drafts: readonly Draft[]): Draft[] {
  const keyOf = ({ exclusionKey, id }: Draft): string => `${exclusionKey}\n${id}`
  return drafts.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b)))
}
