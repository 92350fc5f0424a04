import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import type { Query } from '../../database/database.ts'
import { isUuid } from '../../text-patterns.ts'
import { insertLinked } from './insert-linked.ts'
import { findUnknown, storeUnlinked, type Unknown } from './store.ts'

/** The unknown offers of a page: ids of the newly linked ones, and the number of the others. */
export interface Mapped {
  linkedIds: string[]
  unlinked: number
}

/**
 * Takes in offers that a marketplace shows and the hub does not know. Links an offer whose
 * reference is a variant's id, unless an operator unlinked it before; stores the others as
 * unlinked. Skips ended offers, which sell nothing. Call it in a transaction that begins after the
 * marketplace answered.
 */
export async function mapUnknown (query: Query, connectionId: string, shown: readonly Offer[]): Promise<Mapped> {
  const offers = new Map(shown.filter(({ status }) => status !== 'ENDED').map(offer => [offer.externalId, offer]))
  if (offers.size === 0) return { linkedIds: [], unlinked: 0 }
  const unknown = await findUnknown(query, connectionId, [...offers.values()].map(toReferenced))
  const links = unknown.filter(isLinkable).map(({ externalId, variantId }) => {
    return { id: randomUUID(), externalId, variantId, shown: offers.get(externalId) }
  })
  const unlinked = unknown.filter(offer => !isLinkable(offer)).flatMap(({ externalId }) => offers.get(externalId) ?? [])
  if (unlinked.length > 0) await storeUnlinked(query, connectionId, unlinked)
  const linkedIds = links.length === 0 ? [] : await insertLinked(query, connectionId, links)
  return { linkedIds, unlinked: unlinked.length }
}

/** Returns how many of the offers `mapUnknown` would link. */
export async function countLinkable (query: Query, connectionId: string, shown: readonly Offer[]): Promise<number> {
  const offers = shown.filter(({ status }) => status !== 'ENDED')
  const unknown = await findUnknown(query, connectionId, offers.map(toReferenced))
  return unknown.filter(isLinkable).length
}

function isLinkable (offer: Unknown): offer is Unknown & { variantId: string } {
  return offer.variantId !== null && !offer.isReleased
}

/** The reference of an offer, if it may be the id of a variant. */
function toReferenced ({ externalId, reference = '' }: Offer): Pick<Unknown, 'externalId' | 'variantId'> {
  const variantId = reference.toLowerCase()
  return { externalId, variantId: isUuid(variantId) ? variantId : null }
}
