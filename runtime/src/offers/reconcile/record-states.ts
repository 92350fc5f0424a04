import type { Offer } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { marketplaceProblems, type OfferProblem } from '../problem-codes.ts'
import { markAbsent, storeStates } from './store.ts'

interface RecordedStates {
  changed: number
  toWrite: string[]
}

/**
 * Stores what the marketplace shows of offers that were not written within its lag:
 *
 *     DRAFT ──▶ ACTIVE ⇄ INACTIVE ──▶ ENDED
 *     FAILED ──▶ ACTIVE, INACTIVE: it was created after all
 *
 * Returns the number of changed statuses, and the ids of the offers to write: their quantity was
 * not written, because they had failed or their stock was frozen.
 */
export async function recordStates (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  shown: readonly Offer[]
): Promise<RecordedStates> {
  if (shown.length === 0) return { changed: 0, toWrite: [] }
  const newest = [...new Map(shown.map(offer => [offer.externalId, offer])).values()]
  const states = newest.map(offer => ({ ...offer, problems: marketplaceProblems(offer.problems) }))
  const stored = await storeStates(query, connectionId, visibleAfterMs, states)
  return {
    changed: stored.filter(({ before, status }) => before !== status).length,
    toWrite: stored.filter(({ isToWrite }) => isToWrite).map(({ id }) => id)
  }
}

const neverShown: OfferProblem = {
  code: 'never-shown',
  detail: 'the marketplace accepted the offer but never showed it'
}
const unknown: OfferProblem = {
  code: 'unknown-at-marketplace',
  detail: 'the marketplace does not know the offer any more'
}

/**
 * Ends offers that the marketplace does not know, although it should show them by now. A draft that
 * never appeared becomes a failed offer.
 */
export async function recordAbsent (query: Query, visibleAfterMs: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  return markAbsent(query, visibleAfterMs, ids, { ofDraft: neverShown, ofOther: unknown })
}
