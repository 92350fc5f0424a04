import type { Offer } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { offerWarnings, type Available, type ListingLimits, type OfferWarning } from '../stock/rules.ts'

/** How long a marketplace may show an offer as it was before a write, unless its adapter says. */
export const defaultVisibleAfterMs = 25 * 60_000

/**
 * An offer without a pending write. Its last write was long enough ago for the marketplace to show
 * it.
 */
export interface SettledOffer extends Available, ListingLimits {
  id: string
  externalId: string
  sent: number | null
  frozenFields: string[]
}

/** A settled offer beside what the marketplace shows of it. */
export interface Comparison {
  offer: SettledOffer
  upstreamQuantity: number
  isFrozen: boolean
}

// The versions differ while a job is about to write the offer: the marketplace will show something
// else soon. Stock that was frozen from the beginning has no `last_synced_at`.
const selectSettled = `
  select
    offers.id, offers.external_id as "externalId", offers.quantity as sent, offers.frozen_fields as "frozenFields",
    offers.buffer, offers.max_listed as "maxListed", stock.quantity, stock.reserved
  from offers
  join stock on stock.variant_id = offers.variant_id
  where offers.connection_id = $1
    and offers.status not in ('ENDED', 'FAILED')
    and offers.stock_version = stock.version
    and offers.sent_link_version = offers.link_version
    and coalesce(offers.last_synced_at, '-infinity') < now() - interval '1 millisecond' * $2
    and offers.external_id = any($3)`

export async function findSettled (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  externalIds: readonly string[]
): Promise<SettledOffer[]> {
  return query<SettledOffer>(selectSettled, [connectionId, visibleAfterMs, externalIds])
}

const largestQuantity = 2_147_483_647

/**
 * Answers a quantity that fits its column. A number beyond the range would fail the statement, and
 * with it the other offers of the page.
 */
export function storableQuantity (quantity: number | undefined): number | undefined {
  return quantity === undefined ? undefined : Math.max(-largestQuantity, Math.min(largestQuantity, quantity))
}

/** Pairs offers with what the marketplace shows. Leaves out offers without a shown quantity. */
export function compareOffers (settled: readonly SettledOffer[], shown: readonly Offer[]): Comparison[] {
  const upstream = new Map(shown.map(offer => [offer.externalId, offer]))
  return settled.flatMap(offer => {
    const { quantity, frozenFields = [] } = upstream.get(offer.externalId) ?? {}
    const upstreamQuantity = storableQuantity(quantity)
    return upstreamQuantity === undefined ? [] : [{ offer, upstreamQuantity, isFrozen: frozenFields.includes('stock') }]
  })
}

/**
 * Whether the hub has to write the offer again. It cannot write frozen stock. It writes thawed
 * stock, because changes during the freeze were never sent.
 */
export function isDifferent ({ offer, upstreamQuantity, isFrozen }: Comparison): boolean {
  const hasThawed = offer.frozenFields.includes('stock') && !isFrozen
  return !isFrozen && (hasThawed || offer.sent !== upstreamQuantity)
}

export function warningsOf ({ offer, upstreamQuantity, isFrozen }: Comparison): OfferWarning[] {
  return offerWarnings({ quantity: offer.sent, upstreamQuantity, frozenFields: isFrozen ? ['stock'] : [] }, offer)
}

const updateCompared = `
  update offers set
    upstream_quantity = shown,
    upstream_read_at = now(),
    link_version = link_version + differs::integer,
    frozen_fields = (
      select coalesce(jsonb_agg(distinct field), '[]')
      from (
        select jsonb_array_elements_text(frozen_fields) as field
        except select 'stock'
        union select 'stock' where frozen
      ) as fields
    )
  from jsonb_to_recordset($1::jsonb) as found (id uuid, shown integer, frozen boolean, differs boolean), stock
  where offers.id = found.id
    and stock.variant_id = offers.variant_id
    and offers.stock_version = stock.version
    and offers.sent_link_version = offers.link_version
  returning offers.id, differs`

/**
 * Stores the quantities that the marketplace shows. Offers that differ get a new link version, so
 * that a job writes them again. Answers the ids of these offers.
 */
export async function storeComparisons (query: Query, comparisons: readonly Comparison[]): Promise<string[]> {
  const rows = comparisons.map(comparison => ({
    id: comparison.offer.id,
    shown: comparison.upstreamQuantity,
    frozen: comparison.isFrozen,
    differs: isDifferent(comparison)
  }))
  const stored = await query<{ id: string, differs: boolean }>(updateCompared, [JSON.stringify(rows)])
  return stored.filter(({ differs }) => differs).map(({ id }) => id)
}
