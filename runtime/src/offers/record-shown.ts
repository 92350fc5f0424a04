import type { Offer } from '@linker/sdk'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Query } from '../database/database.ts'
import { isStorableText } from '../database/storable-json.ts'
import { compareOffers, findSettled, storeComparisons, warningsOf, type Comparison } from './compare.ts'
import { storeAbsent, storeShown, type Expected } from './shown-state.ts'
import { mapUnknown, type Mapped } from './unlinked-offers.ts'
import { visibleAfterMsOf } from './written-offer.ts'

interface Shown {
  offers: readonly Offer[]
  /** Offers that were asked for by themselves and are not there. */
  absent?: readonly Expected[]
}

export interface Recorded {
  comparisons: Comparison[]
  /** How many offers have another status now. */
  statusChanged: number
  /**
   * Offers to be written: they show another quantity than was written, came to life, have thawed
   * stock, or were linked here.
   */
  offerIds: string[]
  mapped: Mapped
}

/**
 * Takes over what a marketplace shows of offers, compares their quantity with what was written, and
 * takes in those that the hub does not know. In a transaction that begins after the marketplace
 * answered.
 */
export async function recordShown (query: Query, opened: OpenConnection, shown: Shown): Promise<Recorded> {
  const { id: connectionId } = opened.connection
  const visibleAfterMs = visibleAfterMsOf(opened)
  // An id that cannot be stored is no offer of the hub, and would keep the others of its page from
  // being looked at.
  const offers = shown.offers.filter(({ externalId }) => isStorableText(externalId))
  // After the answer: what was written while it was made is not settled.
  const settled = await findSettled(query, connectionId, visibleAfterMs, offers.map(({ externalId }) => externalId))
  const comparisons = compareOffers(settled, offers)
  const { changed, toWrite } = await storeShown(query, connectionId, visibleAfterMs, offers)
  const ended = await storeAbsent(query, visibleAfterMs, (shown.absent ?? []).map(({ id }) => id))
  const differing = comparisons.length === 0 ? [] : await storeComparisons(query, comparisons)
  const mapped = await mapUnknown(query, connectionId, offers)
  const offerIds = [...toWrite, ...differing, ...mapped.linkedIds]
  return { comparisons, statusChanged: changed + ended, offerIds, mapped }
}

interface RecordedFor {
  connectionId: string | null
  requestId?: string
}
interface RecordLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Says in the log what the hub cannot put right, and what it links by itself. */
export function tellOf (log: RecordLog, { comparisons, mapped }: Recorded, of: RecordedFor): void {
  const linked = mapped.linkedIds.length
  if (linked > 0) log.info({ linked, ...of }, 'offers were linked by their reference')
  for (const comparison of comparisons) {
    const { offer: { id, externalId } } = comparison
    for (const { code, message } of warningsOf(comparison)) log.warn({ code, offerId: id, externalId, ...of }, message)
  }
}
