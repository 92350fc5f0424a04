import type { Money, Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { Position } from '../../http/paging.ts'
import { storableQuantity } from '../compare.ts'
import type { OfferStatus } from '../entity.ts'
import type { OfferProblem } from '../problem-codes.ts'
import type { UnlinkedOfferQuery, UnlinkedOfferView } from '../schemas.ts'
import {
  deleteUnlinked,
  deleteUnseen,
  hideUnseen,
  insertLinks,
  isAt,
  moveToUnlinked,
  selectUnknown,
  selectPage,
  showsEan,
  showsSku,
  upsertUnlinked
} from './statements.ts'

/** A linked offer, as its row begins. */
export interface Link {
  id: string
  variantId: string
  externalId: string
  reference?: string | null | undefined
  sku?: string | null | undefined
  ean?: string | null | undefined
  status: OfferStatus
  upstreamStatus: string | null | undefined
  title: string | null | undefined
  price: Money | null | undefined
  buffer: number
  maxListed?: number | null | undefined
  frozenFields: readonly string[]
  problems: readonly OfferProblem[]
  upstreamQuantity: number | undefined
  /** Whether the marketplace showed the offer just now. */
  isSeen: boolean
  /** Otherwise, when it last showed the offer, ISO 8601. */
  seenAt?: string | null
}

/**
 * Inserts links and returns the ids of the new ones. Two requests, or a request and a comparison,
 * may link an offer at once: the unique (connection, external id) decides.
 */
export async function storeLinks (query: Query, connectionId: string, links: readonly Link[]): Promise<string[]> {
  const inserted = await query<{ id: string }>(insertLinks, [connectionId, toStorableJson(links)])
  return inserted.map(({ id }) => id)
}

/** An offer that the hub does not know, and the variant that its reference names. */
export interface Unknown {
  externalId: string
  /** Null: no variant has this id. */
  variantId: string | null
  /** Whether an operator unlinked the offer. */
  isReleased: boolean
}

/**
 * Returns the offers that the hub does not know. One statement sees an offer either as linked or as
 * released, while somebody unlinks it; two statements could see it as neither.
 */
export async function findUnknown (
  query: Query,
  connectionId: string,
  shown: readonly Pick<Unknown, 'externalId' | 'variantId'>[]
): Promise<Unknown[]> {
  return query<Unknown>(selectUnknown, [connectionId, toStorableJson(shown)])
}

/** Stores offers that follow no variant, as the marketplace shows them. */
export async function storeUnlinked (query: Query, connectionId: string, offers: readonly Offer[]): Promise<void> {
  const rows = offers.map(offer => ({ ...offer, id: randomUUID(), quantity: storableQuantity(offer.quantity) }))
  await query(upsertUnlinked, [connectionId, toStorableJson(rows)])
}

/**
 * Forgets unlinked offers that the marketplace has not shown since a time, ISO 8601, or that are
 * linked by now. Keeps the mark that an operator unlinked an offer: a list may leave out an offer
 * that exists, and the next list would link it again.
 */
export async function forgetUnseen (query: Query, connectionId: string, since: string): Promise<void> {
  await query(deleteUnseen, [connectionId, since])
  await query(hideUnseen, [connectionId, since])
}

/**
 * Unlinks an offer. Only an operator links it again, whatever its reference says. Returns whether
 * the offer existed.
 */
export async function releaseOffer (query: Query, id: string): Promise<boolean> {
  const released = await query(moveToUnlinked, [randomUUID(), id])
  return released.length > 0
}

/**
 * Forgets that offers were unlinked because somebody links them; also that an operator had unlinked
 * them.
 */
export async function forgetRelease (
  query: Query,
  connectionId: string,
  externalIds: readonly string[]
): Promise<void> {
  await query(deleteUnlinked, [connectionId, externalIds])
}

/** Returns unlinked offers, oldest first. */
export async function listUnlinked (
  query: Query,
  { connectionId, externalId, sku, ean, limit, after }: Omit<UnlinkedOfferQuery, 'cursor'> & {
    after: Position | undefined
  }
): Promise<UnlinkedOfferView[]> {
  const values: unknown[] = []
  const value = (given: unknown): string => `$${values.push(given)}`
  const conditions = [
    ...(connectionId === undefined ? [] : [`kept.connection_id = ${value(connectionId)}`]),
    ...(externalId === undefined ? [] : [isAt(value(externalId))]),
    ...(sku === undefined ? [] : [showsSku(value(sku))]),
    ...(ean === undefined ? [] : [showsEan(value(ean))]),
    ...(after === undefined ? [] : [`(kept.created_at, kept.id) > (${value(after.createdAt)}, ${value(after.id)})`])
  ]
  return query<UnlinkedOfferView>(selectPage(conditions, value(limit)), values)
}
