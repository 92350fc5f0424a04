import type { Offer } from '@linker/sdk'
import { isStorableText } from '@linker/sdk/host/text'
import type { OpenConnection } from '../../connections/open-connection.ts'
import type { Query } from '../../database/database.ts'
import { compareOffers, isDifferent, warningsOf, type Comparison } from '../compare.ts'
import { mapUnknown, type Mapped } from '../unlinked/map-unknown.ts'
import { visibleAfterMsOf } from '../written-offer.ts'
import { endRefused } from './end-refused.ts'
import { recordAbsent, recordStates } from './record-states.ts'
import { recordWithinLag } from './record-within-lag.ts'
import { findSettled, storeCompared, type ComparedOffer, type Expected } from './store.ts'

interface Shown {
  offers: readonly Offer[]
  /** Offers that the hub asked for one by one and that the marketplace does not have. */
  absent?: readonly Expected[]
}

export interface Recorded {
  comparisons: Comparison[]
  /** Number of offers whose status changed. */
  statusChanged: number
  /**
   * Offers to write: the marketplace shows another quantity than the hub wrote, they came to life,
   * their stock thawed, or this reading linked them.
   */
  offerIds: string[]
  mapped: Mapped
}

/**
 * Stores what a marketplace shows of offers, compares their quantity with the last write, and takes
 * in offers that the hub does not know. Call it in a transaction that begins after the marketplace
 * answered.
 */
export async function recordShown (query: Query, opened: OpenConnection, shown: Shown): Promise<Recorded> {
  const { id: connectionId } = opened.connection
  const visibleAfterMs = visibleAfterMsOf(opened)
  // Skip ids that PostgreSQL cannot store: they would fail the whole page, and no offer has them.
  const offers = shown.offers.filter(({ externalId }) => isStorableText(externalId))
  // Read this after the answer: an offer that was written meanwhile is not settled.
  const settled = await findSettled(query, connectionId, visibleAfterMs, offers.map(({ externalId }) => externalId))
  const comparisons = compareOffers(settled, offers)
  const { changed, toWrite } = await recordStates(query, connectionId, visibleAfterMs, offers)
  const ended = await recordAbsent(query, visibleAfterMs, (shown.absent ?? []).map(({ id }) => id))
  const { differing, taken } = await storeCompared(query, comparisons.map(toCompared))
  await endRefused(query, connectionId, taken)
  await recordWithinLag(query, connectionId, visibleAfterMs, offers)
  const mapped = await mapUnknown(query, connectionId, offers)
  const offerIds = [...toWrite, ...differing, ...mapped.linkedIds]
  return { comparisons, statusChanged: changed + ended, offerIds, mapped }
}

function toCompared (comparison: Comparison): ComparedOffer {
  const { offer: { id }, upstreamQuantity: shown, isFrozen: frozen } = comparison
  return { id, shown, frozen, differs: isDifferent(comparison) }
}

interface RecordedFor {
  connectionId: string | null
  requestId?: string
}
interface RecordLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** Logs the warnings that the hub cannot put right, and the offers that it linked by itself. */
export function tellOf (log: RecordLog, { comparisons, mapped }: Recorded, of: RecordedFor): void {
  const linked = mapped.linkedIds.length
  if (linked > 0) log.info({ linked, ...of }, 'offers were linked by their reference')
  for (const comparison of comparisons) {
    const { offer: { id, externalId } } = comparison
    for (const { code, message } of warningsOf(comparison)) log.warn({ code, offerId: id, externalId, ...of }, message)
  }
}
