import type { Money, Offer } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import { toStorableJson } from '../../database/storable-json.ts'
import type { SettledOffer } from '../compare.ts'
import type { OfferStatus } from '../entity.ts'
import type { OfferProblem } from '../problem-codes.ts'
import type { OfferVersion } from '../store.ts'
import {
  endAbsent,
  lockUnwrittenOffer,
  lockUnwrittenPage,
  pageSize,
  raiseLinkVersions,
  selectDrifting,
  selectExpected,
  selectRefreshed,
  selectSettled,
  selectWithinLag,
  updateCompared,
  updateShown,
  updateWithinLag
} from './statements.ts'

/** An offer that the marketplace should show. */
export interface Expected {
  id: string
  externalId: string
}

/** Selects offers of a connection. */
export interface Looked {
  connectionId: string
  visibleAfterMs: number
  /** Only offers that the hub has not seen since this time, ISO 8601. */
  unseenSince?: string | undefined
  /** Only offers whose id comes after this one. */
  after?: string | undefined
  limit: number
}

/** Returns offers that the marketplace should show by now, ordered by id. */
export async function listExpected (
  query: Query,
  { connectionId, visibleAfterMs, unseenSince, after, limit }: Looked
): Promise<Expected[]> {
  return query<Expected>(selectExpected, [connectionId, visibleAfterMs, unseenSince ?? null, after ?? null, limit])
}

/** An offer that an operator wants to be read, as the hub knows it. */
export interface RefreshedOffer extends Expected {
  status: OfferStatus
  quantity: number | null
  price: Money | null
  /** When the hub last wrote the quantity, ISO 8601. */
  writtenAt: string | null
  /** Until when the marketplace may show its state from before a write. Null: no longer. */
  staleUntil: string | null
}

/** Returns an offer, unless it is not created at the marketplace. */
export async function findRefreshed (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  id: string
): Promise<RefreshedOffer | undefined> {
  const [offer] = await query<RefreshedOffer>(selectRefreshed, [connectionId, visibleAfterMs, id])
  return offer
}

/** An offer as a marketplace shows it, with its problems as the hub stores them. */
export type ShownState = Omit<Offer, 'problems'> & { problems: readonly OfferProblem[] }

/** An offer whose status changed, or that has to be written. */
export interface StoredState {
  id: string
  /** The status before. */
  before: string
  status: string
  isToWrite: boolean
}

/** Stores what a marketplace shows of offers that were not written within its lag. */
export async function storeStates (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  states: readonly ShownState[]
): Promise<StoredState[]> {
  return query<StoredState>(updateShown, [connectionId, visibleAfterMs, toStorableJson(states)])
}

/**
 * Ends those of these offers that the marketplace should show by now, with a problem for drafts and
 * one for the others. Returns how many they were.
 */
export async function markAbsent (
  query: Query,
  visibleAfterMs: number,
  ids: readonly string[],
  problems: { ofDraft: OfferProblem, ofOther: OfferProblem }
): Promise<number> {
  const { ofDraft, ofOther } = problems
  const ended = await query(endAbsent, [ids, visibleAfterMs, JSON.stringify([ofDraft]), JSON.stringify([ofOther])])
  return ended.length
}

/** Returns the offers among these whose last write the marketplace should show by now. */
export async function findSettled (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  externalIds: readonly string[]
): Promise<SettledOffer[]> {
  return query<SettledOffer>(selectSettled, [connectionId, visibleAfterMs, externalIds])
}

/** The result of a comparison, as the offer stores it. */
export interface ComparedOffer {
  id: string
  /** The quantity that the marketplace shows. */
  shown: number
  /** Whether the seller froze the stock. */
  frozen: boolean
  differs: boolean
}

/** Ids of offers whose quantity was compared. */
export interface StoredComparison {
  /** They get a new link version, so that a job writes them again. */
  differing: string[]
  /** The marketplace had refused a quantity of them, and shows that of a later write now. */
  taken: string[]
}

/** Stores the quantities that the marketplace shows. */
export async function storeCompared (query: Query, compared: readonly ComparedOffer[]): Promise<StoredComparison> {
  if (compared.length === 0) return { differing: [], taken: [] }
  const stored = await query<{ id: string, differs: boolean, isTaken: boolean }>(
    updateCompared,
    [JSON.stringify(compared)]
  )
  return {
    differing: stored.filter(({ differs }) => differs).map(({ id }) => id),
    taken: stored.filter(({ isTaken }) => isTaken).map(({ id }) => id)
  }
}

/** An offer whose last write the marketplace may not show yet. */
export interface LaggingOffer extends Expected {
  /** The quantity of the last write. */
  sent: number
  stockVersion: number
  linkVersion: number
  /** Whether the hub created it within the lag. */
  isNew: boolean
}

/** Returns the offers among these whose last write the marketplace may not show yet. */
export async function findWithinLag (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  externalIds: readonly string[]
): Promise<LaggingOffer[]> {
  return query<LaggingOffer>(selectWithinLag, [connectionId, visibleAfterMs, externalIds])
}

/**
 * Stores quantities that a marketplace shows within its lag, unless a later version was written
 * meanwhile. One that may be from before the last write is kept apart from the others. Returns the
 * ids of the offers of which the marketplace had refused a quantity, and shows a later one now.
 */
export async function storeWithinLag (
  query: Query,
  read: readonly (LaggingOffer & { shown: number, mayBeOlder: boolean })[]
): Promise<string[]> {
  const stored = await query<{ id: string, isTaken: boolean }>(updateWithinLag, [JSON.stringify(read)])
  return stored.filter(({ isTaken }) => isTaken).map(({ id }) => id)
}

/** Some offers, ordered by id, and the id after which the next page begins. */
export interface Page<Row> {
  offers: Row[]
  next: string | undefined
}

function pageOf<Row extends { id: string }> (offers: Row[]): Page<Row> {
  return { offers, next: offers.length < pageSize ? undefined : offers.at(-1)?.id }
}

/** Locks an offer that lacks the last version of its stock or link. */
export async function lockUnwritten (query: Query, id: string): Promise<OfferVersion[]> {
  return query<OfferVersion>(lockUnwrittenOffer, [id])
}

/** Locks offers of a connection that lack the last version of their stock or link. */
export async function lockUnwrittenOf (
  query: Query,
  connectionId: string,
  after: string | undefined
): Promise<Page<OfferVersion>> {
  return pageOf(await query<OfferVersion>(lockUnwrittenPage, [connectionId, after ?? null]))
}

/** Gives offers a new link version, so that new jobs can be made for them. */
export async function raiseVersions (query: Query, ids: readonly string[]): Promise<void> {
  await query(raiseLinkVersions, [ids])
}

/** An offer that should show another quantity than the last one written. */
export interface DriftingOffer extends OfferVersion {
  externalId: string
  sent: number | null
  wanted: number
  /** Why a comparison does not write it, as far as the row says. */
  keptBecause: 'not-created' | 'frozen' | 'wished' | null
}

/** Returns offers of a connection that should show another quantity. */
export async function listDrifting (
  query: Query,
  connectionId: string,
  after: string | undefined
): Promise<Page<DriftingOffer>> {
  return pageOf(await query<DriftingOffer>(selectDrifting, [connectionId, after ?? null]))
}
