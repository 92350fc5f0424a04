import type { Offer } from '@linker/sdk'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Query } from '../database/database.ts'
import { compareOffers, findSettled, storeComparisons, warningsOf, type Comparison } from './compare.ts'
import { storeAbsent, storeShown, type Expected } from './shown-state.ts'
import { visibleAfterMsOf } from './written-offer.ts'

export interface Recorded {
  comparisons: Comparison[]
  /** How many offers have another status now. */
  statusChanged: number
  /** Offers to be written again: they show another quantity than was written, came to life, or their stock has thawed. */
  offerIds: string[]
}

/** Takes over what a marketplace shows of offers, and compares their quantity with what was written. In a transaction that begins after the marketplace answered. */
export async function recordShown (query: Query, opened: OpenConnection, { offers, absent = [] }: { offers: readonly Offer[], absent?: readonly Expected[] }): Promise<Recorded> {
  const { id: connectionId } = opened.connection
  const visibleAfterMs = visibleAfterMsOf(opened)
  // After the answer: what was written while it was made is not settled.
  const comparisons = compareOffers(await findSettled(query, connectionId, visibleAfterMs, offers.map(({ externalId }) => externalId)), offers)
  const { changed, toWrite } = await storeShown(query, connectionId, visibleAfterMs, offers)
  const ended = await storeAbsent(query, visibleAfterMs, absent.map(({ id }) => id))
  return { comparisons, statusChanged: changed + ended, offerIds: [...toWrite, ...comparisons.length === 0 ? [] : await storeComparisons(query, comparisons)] }
}

/** Says in the log what the hub cannot put right. */
export function warnOf (log: { warn (fields: object, message: string): void }, comparisons: readonly Comparison[], { connectionId, requestId }: { connectionId: string | null, requestId?: string }): void {
  for (const comparison of comparisons) {
    const { offer: { id, externalId } } = comparison
    for (const { code, message } of warningsOf(comparison)) log.warn({ code, offerId: id, externalId, connectionId, requestId }, message)
  }
}
