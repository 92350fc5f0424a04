import type { Money } from '@linker/sdk'
import type { Database, Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { isUuid } from '../text-patterns.ts'
import { Offer } from './entity.ts'
import type { OfferProblem } from './problem-codes.ts'
import type { OfferLimits } from './schemas.ts'
import {
  countDrifts,
  appendProblem,
  appendQuantityProblem,
  forgetRefused,
  raiseLinkVersion,
  raiseSwitchedOff,
  selectConnectionOf,
  selectFollowers,
  selectReferenced,
  selectSettledToWrite,
  selectToWrite,
  selectVersionsOfOffers,
  selectVersionsOfVariants,
  selectWritten,
  updateCreated,
  updateEnded,
  updateFailed,
  updateFields,
  updateLimits,
  updateQuantities,
  updateRevived
} from './statements.ts'

type Orm = Pick<Database, 'orm'>

/** Finds an offer by the hub's id. */
export async function findOffer ({ orm }: Orm, id: string): Promise<Offer | null> {
  return orm.em.fork().findOne(Offer, { id })
}

/** Finds an offer by the marketplace's id. */
export async function findOfferAt ({ orm }: Orm, connectionId: string, externalId: string): Promise<Offer | null> {
  return orm.em.fork().findOne(Offer, { connectionId, externalId })
}

export interface ReferencedOffer {
  id: string
  status: string
  price: Money | null
}

/** Finds the offer of a connection that has this id in the hub or at the marketplace. */
export async function findReferenced (
  query: Query,
  connectionId: string,
  reference: string
): Promise<ReferencedOffer | undefined> {
  const hubId = isUuid(reference) ? reference : null
  const [offer] = await query<ReferencedOffer>(selectReferenced, [connectionId, reference, hubId])
  return offer
}

/** Returns the connection of an offer. */
export async function readConnectionOf (query: Query, id: string): Promise<string | undefined> {
  const [offer] = await query<{ connectionId: string }>(selectConnectionOf, [id])
  return offer?.connectionId
}

/** An offer and its stock, as a command on the offer needs them. */
export interface WrittenOffer {
  id: string
  connectionId: string
  externalId: string
  status: string
  createdUpstreamAt: Date | null
  buffer: number
  maxListed: number | null
  frozenFields: string[]
  linkVersion: number
  quantity: number | null
  reserved: number | null
  isCounted: boolean | null
  isSellable: boolean | null
  sellsInactive: boolean
  confirmedQuantity: number | null
  stockVersion: number | null
}

/** Reads what a command on an offer needs. */
export async function readWritten (query: Query, id: string): Promise<WrittenOffer | undefined> {
  const [offer] = await query<WrittenOffer>(selectWritten, [id])
  return offer
}

/** An offer and its stock, as the job that writes the quantity needs them. */
export interface OfferStock {
  id: string
  connectionId: string
  externalId: string
  status: string
  createdUpstreamAt: Date | null
  sentVersion: number | null
  sentLinkVersion: number | null
  sentQuantity: number | null
  linkVersion: number
  buffer: number
  maxListed: number | null
  upstreamQuantity: number | null
  upstreamReadAt: string | null
  frozenFields: string[]
  quantity: number
  reserved: number
  isCounted: boolean
  isSellable: boolean
  sellsInactive: boolean
  confirmedQuantity: number | null
  version: number
}

/** Reads what the jobs that write the quantities of offers need. */
export async function readOfferStocks (query: Query, ids: readonly string[]): Promise<OfferStock[]> {
  return query<OfferStock>(selectToWrite, [ids])
}

/** Like `readOfferStocks`, but first waits for the transaction that is changing the offer. */
export async function lockOfferStock (query: Query, id: string): Promise<OfferStock | undefined> {
  const [offer] = await query<OfferStock>(selectSettledToWrite, [id])
  return offer
}

/** Raises the link versions of a connection's offers of what the shop switched off. */
export async function raiseVersionsOfSwitchedOff (query: Query, connectionId: string): Promise<string[]> {
  const offers = await query<{ id: string }>(raiseSwitchedOff, [connectionId])
  return offers.map(({ id }) => id)
}

/** An offer with the present versions of its stock and of its link. */
export interface OfferVersion {
  id: string
  variantId: string
  connectionId: string
  version: number
  linkVersion: number
}

/** Returns the versions of the offers of variants, or of some offers, without those that ended. */
export async function readVersions (
  query: Query,
  of: { variantIds: readonly string[] } | { offerIds: readonly string[] }
): Promise<OfferVersion[]> {
  return 'variantIds' in of
    ? query<OfferVersion>(selectVersionsOfVariants, [of.variantIds])
    : query<OfferVersion>(selectVersionsOfOffers, [of.offerIds])
}

/** Stores how much of the stock an offer shows. Returns whether that changed. */
export async function storeLimits (
  query: Query,
  id: string,
  { buffer, maxListed }: OfferLimits,
  now: Date
): Promise<boolean> {
  const values = [id, buffer ?? null, maxListed ?? null, maxListed !== undefined, now]
  const changed = await query(updateLimits, values)
  return changed.length > 0
}

/** The values that an offer was created with, and the versions of stock and link behind them. */
export interface Creation {
  offerId: string
  quantity: number
  title: string
  price: unknown
  stockVersion: number | null
  linkVersion: number
}

/** Stores a creation. Returns whether the offer is to be written again at once. */
export async function storeCreated (query: Query, creation: Creation): Promise<boolean> {
  const { offerId, quantity, title, price, stockVersion, linkVersion } = creation
  const values = [offerId, quantity, title, JSON.stringify(price), stockVersion, linkVersion]
  const [stored] = await query<{ hasChanged: boolean }>(updateCreated, values)
  return stored?.hasChanged === true
}

/** Marks the draft whose creation job died as failed, unless the marketplace has taken it. */
export async function markFailed (
  query: Query,
  offerId: string,
  jobId: string,
  problems: readonly OfferProblem[]
): Promise<void> {
  await query(updateFailed, [offerId, jobId, toStorableJson(problems)])
}

/** Makes the failed offer a draft again, because its creation job runs again. */
export async function revive (query: Query, offerId: string, jobId: string): Promise<void> {
  await query(updateRevived, [offerId, jobId])
}

/** The answer of a marketplace to a change of an offer's fields. */
export interface WrittenFields {
  offerId: string
  /** Absent when it was not applied. */
  price?: unknown
  title?: string | undefined
  applied: readonly string[]
  frozen: readonly string[]
}

/** Stores which fields the marketplace took and which the seller froze. */
export async function storeWrittenFields (query: Query, written: WrittenFields): Promise<void> {
  const { offerId, price, title, applied, frozen } = written
  await query(updateFields, [
    offerId,
    applied.includes('price'),
    JSON.stringify(price ?? null),
    applied.includes('title'),
    title ?? null,
    applied,
    frozen
  ])
}

/** Marks an offer as ended, and removes the problems that the hub noted. */
export async function markEnded (query: Query, offerId: string): Promise<void> {
  await query(updateEnded, [offerId])
}

/** A quantity that a job has written, and the versions of stock and link behind it. */
export interface WrittenQuantity {
  offerId: string
  quantity: number
  stockVersion: number
  linkVersion: number
  /** Whether the seller froze the stock of the offer. */
  isFrozen: boolean
  /** Whether the quantity was sent: stock that is known to be frozen is not. */
  isSent: boolean
}

/**
 * Stores written quantities, and removes the problems that they settle. The last quantity of an
 * offer counts: a statement must not write a row twice. Returns the offers that an earlier job had
 * failed to write.
 */
export async function storeWrittenQuantities (
  query: Query,
  written: readonly WrittenQuantity[]
): Promise<{ id: string, connectionId: string }[]> {
  const last = new Map(written.map(quantity => [quantity.offerId.toLowerCase(), quantity]))
  const stored = await query<{ id: string, connectionId: string, hadFailed: boolean }>(updateQuantities, [
    JSON.stringify([...last.values()]),
    [...last.keys()]
  ])
  return stored.filter(({ hadFailed }) => hadFailed).map(({ id, connectionId }) => ({ id, connectionId }))
}

/** An offer as a line of an order names it. */
export interface SoldOffer {
  connectionId: string
  externalId: string
}

/**
 * Demands that the quantity of offers is written again, even when it is the same. Returns the ids
 * of those that are still on sale.
 */
export async function demandRewrite (query: Query, sold: readonly SoldOffer[]): Promise<string[]> {
  const offers = await query<{ id: string }>(raiseLinkVersion, [JSON.stringify(sold)])
  return offers.map(({ id }) => id)
}

/** A connection that uses another one, and how often. */
export interface Follower {
  id: string
  name: string
  count: number
}

/** Returns the other connections whose offers follow variants of a shop. */
export async function findFollowers (query: Query, connectionId: string): Promise<Follower[]> {
  return query<Follower>(selectFollowers, [connectionId])
}

/** A quantity that a marketplace refused after it had taken it. */
export interface Refusal {
  externalId: string
  quantity: number
  problem: OfferProblem
}

/** An offer whose last write was refused. The versions are those of the write. */
export interface ForgottenQuantity {
  id: string
  connectionId: string
  version: number | null
  linkVersion: number | null
  problem: OfferProblem
}

/**
 * Forgets quantities that were the last ones written, and notes their problems. Returns the offers
 * of which this was true.
 */
export async function forgetQuantities (
  query: Query,
  connectionId: string,
  refusals: readonly Refusal[]
): Promise<ForgottenQuantity[]> {
  return query<ForgottenQuantity>(forgetRefused, [connectionId, toStorableJson(refusals)])
}

/** The offer that a job is about, and the connection of the job. */
export interface OfferOfJob {
  offerId: string
  connectionId: string
}

/** Notes a problem on an offer, unless the offer has ended. */
export async function addProblem (query: Query, of: OfferOfJob, problem: OfferProblem): Promise<void> {
  await query(appendProblem(problem.code), [of.offerId, of.connectionId, toStorableJson([problem])])
}

/** Like `addProblem`, but does nothing when the last version of the quantity is written. */
export async function addQuantityProblem (query: Query, of: OfferOfJob, problem: OfferProblem): Promise<void> {
  await query(appendQuantityProblem, [of.offerId, of.connectionId, toStorableJson([problem])])
}

/** Returns how many offers of each connection were not written with the quantity to show. */
export async function readDrifts (query: Query): Promise<{ connectionId: string, drift: number }[]> {
  return query(countDrifts)
}
