import type { Database, Query } from '../../database/database.ts'
import type { Position } from '../../http/paging.ts'
import { idsBeginningWith, isUuid } from '../../text-patterns.ts'
import { Offer } from '../entity.ts'
import type { OfferQuery } from '../schemas.ts'
import {
  countOversold,
  countRefused,
  hasProblem,
  isAt,
  isFoundBy,
  isOfEan,
  isOfSku,
  selectFound,
  selectPage,
  selectTitles,
  warningConditions
} from './statements.ts'

/** A page of offers. `positions` counts those that were removed while the page was read. */
export interface OfferPage {
  offers: Offer[]
  positions: Position[]
}

/** Returns at most `limit` offers in the order in which they became known. */
export async function listOffers (
  { orm, query }: Pick<Database, 'orm' | 'query'>,
  { externalId, sku, ean, problem, warning, q, ...filter }: Omit<OfferQuery, 'limit' | 'cursor'>,
  { limit, after }: { limit: number, after: Position | undefined }
): Promise<OfferPage> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(filter.connectionId === undefined ? [] : [`offers.connection_id = ${value(filter.connectionId)}`]),
    ...(filter.variantId === undefined ? [] : [`offers.variant_id = ${value(filter.variantId)}`]),
    ...(filter.status === undefined ? [] : [`offers.status = ${value(filter.status)}`]),
    ...(externalId === undefined ? [] : [isAt(value(externalId))]),
    ...(sku === undefined ? [] : [isOfSku(value(sku))]),
    ...(ean === undefined ? [] : [isOfEan(value(ean))]),
    ...(problem === undefined ? [] : [hasProblem(value(problem === 'any' ? null : problem))]),
    ...(warning === undefined ? [] : [warningConditions[warning]]),
    ...(q === undefined ? [] : [isFoundBy(value(q.trim()))]),
    ...(after === undefined
      ? []
      : [`(offers.created_at, offers.id) > (${value(after.createdAt)}, ${value(after.id)})`])
  ]
  const positions = await query<Position>(selectPage(conditions, value(limit)), values)
  if (positions.length === 0) return { offers: [], positions }
  const offers = await orm.em.fork().find(
    Offer,
    { id: { $in: positions.map(({ id }) => id) } },
    { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }
  )
  return { offers, positions }
}

/** An offer that a text found. */
export interface FoundOffer {
  id: string
  /** Null: the offer is linked to no variant. */
  variantId: string | null
  connectionId: string
  externalId: string
  status: string
  title: string | null
  matchedBy: 'id' | 'externalId' | 'reference' | 'sku' | 'ean'
}

/**
 * Finds offers by a text, linked or not: by their own ids, by the ids that the seller gave them, or
 * by the whole SKU or EAN of their variant.
 */
export async function searchOffers (query: Query, text: string, limit: number): Promise<FoundOffer[]> {
  const { first = null, last = null } = idsBeginningWith(text) ?? {}
  return query<FoundOffer>(selectFound, [text, first, limit, last])
}

/** Offers of a connection that may sell more than there is. */
export interface OversoldOffers {
  connectionId: string
  count: number
  /** When the stock of the first of them changed, ISO 8601. */
  since: string | null
}

const mostCounted = 10_000

/** Counts the offers with the warning `oversell`, up to a limit for all connections. */
export async function countOversoldOffers (query: Query, limit = mostCounted): Promise<OversoldOffers[]> {
  return query<OversoldOffers>(countOversold, [limit])
}

/** Offers of a connection whose quantity the marketplace refused after it had taken it. */
export interface RefusedOffers {
  connectionId: string
  count: number
  /** When the marketplace first refused one of them, ISO 8601. */
  since: string | null
}

/** Counts the offers with the problem `quantity-refused`, up to a limit for all connections. */
export async function countRefusedOffers (query: Query, limit = mostCounted): Promise<RefusedOffers[]> {
  return query<RefusedOffers>(countRefused, [limit])
}

/** Returns what offers sell, in words, by the ids of the offers, without other texts. */
export async function nameOffers (query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  const possible = ids.filter(isUuid)
  if (possible.length === 0) return new Map()
  const rows = await query<{ id: string, name: string }>(selectTitles, [possible])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
