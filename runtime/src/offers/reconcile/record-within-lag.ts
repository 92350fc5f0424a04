import type { Offer } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { listLastEnds } from '../../jobs/store.ts'
import { storableQuantity } from '../compare.ts'
import { objectKeyOf } from '../quantity-jobs.ts'
import { endRefused } from './end-refused.ts'
import { olderQuantities } from './older-quantities.ts'
import { findWithinLag, storeWithinLag, type LaggingOffer } from './store.ts'

interface ShownQuantity {
  offer: LaggingOffer
  shown: number
}

/** The quantity of an offer, read while the marketplace may still show an earlier state. */
export interface ReadWithinLag {
  id: string
  shown: number
  /** Whether it may be from before the last write. If not, somebody changed it there. */
  mayBeOlder: boolean
}

/**
 * Stores the quantities that a marketplace shows within its lag after a write. The last write, and
 * a quantity that the marketplace cannot show from before it, count like any reading. The hub
 * repairs nothing by them: until the lag ends, it could not see the repair.
 */
export async function recordWithinLag (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  offers: readonly Offer[]
): Promise<ReadWithinLag[]> {
  const quantities = new Map(offers.map(({ externalId, quantity }) => [externalId, storableQuantity(quantity)]))
  const lagging = await findWithinLag(query, connectionId, visibleAfterMs, [...quantities.keys()])
  const shown = lagging.flatMap(offer => {
    const quantity = quantities.get(offer.externalId)
    return quantity === undefined ? [] : [{ offer, shown: quantity }]
  })
  if (shown.length === 0) return []
  const older = await readOlder(query, connectionId, visibleAfterMs, shown)
  const read = shown.map(({ offer, shown }) => {
    const mayBeOlder = shown !== offer.sent && (older.get(offer.id)?.includes(shown) ?? true)
    return { ...offer, shown, mayBeOlder }
  })
  await endRefused(query, connectionId, await storeWithinLag(query, read))
  return read.map(({ id, shown, mayBeOlder }) => ({ id, shown, mayBeOlder }))
}

/** Reads what the marketplace may still show of the offers that do not show the last write. */
async function readOlder (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  shown: readonly ShownQuantity[]
): Promise<ReadonlyMap<string, readonly number[] | undefined>> {
  const keys =
    new Map(shown.flatMap(({ offer, shown }) =>
      shown === offer.sent ? [] : [[objectKeyOf({ id: offer.id, connectionId }), offer] as const]
    ))
  if (keys.size === 0) return new Map()
  const ends = Map.groupBy(
    await listLastEnds(query, [...keys.keys()], visibleAfterMs),
    ({ objectKey }) => objectKey
  )
  return new Map(Array.from(keys, ([key, { id, isNew }]) => [id, olderQuantities(ends.get(key) ?? [], isNew)]))
}
