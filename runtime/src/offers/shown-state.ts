import type { Offer } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { marketplaceProblems, type OfferProblem } from './problem-codes.ts'
import { unwrittenProblems } from './statements.ts'

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

// Within the lag after a write, the marketplace's cache may show a state from before the write: the
// hub ignores it. An offer that the hub never wrote has no lag. `$2` is the lag in milliseconds.
const lastWrite =
  "coalesce(greatest(offers.written_at, offers.last_synced_at, offers.created_upstream_at), '-infinity')"
const isVisible = `${lastWrite} < now() - interval '1 millisecond' * $2`
const isExpected = `(
  offers.status in ('ACTIVE', 'INACTIVE')
  or (offers.status = 'DRAFT' and offers.created_upstream_at is not null)
)`
const isCreated = "(offers.status <> 'DRAFT' or offers.created_upstream_at is not null)"

const selectExpected = `
  select id, external_id as "externalId"
  from offers
  where connection_id = $1
    and ${isExpected}
    and ${isVisible}
    and ($3::timestamptz is null or seen_at is null or seen_at < $3)
    and ($4::uuid is null or id > $4)
  order by id
  limit $5`

export async function listExpected (
  query: Query,
  { connectionId, visibleAfterMs, unseenSince, after, limit }: Looked
): Promise<Expected[]> {
  return query<Expected>(selectExpected, [connectionId, visibleAfterMs, unseenSince ?? null, after ?? null, limit])
}

const selectVisible = `
  select id, external_id as "externalId"
  from offers
  where connection_id = $1
    and id = $3
    and ${isVisible}
    and ${isCreated}`

/** Answers an offer, unless the marketplace may still show its state from before a write. */
export async function findVisible (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  id: string
): Promise<Expected | undefined> {
  const [offer] = await query<Expected>(selectVisible, [connectionId, visibleAfterMs, id])
  return offer
}

interface StoredShown {
  changed: number
  toWrite: string[]
}

const updateShown = `
  with shown as (
    select *
    from jsonb_to_recordset($3::jsonb) as shown (
      "externalId" text, status text, "upstreamStatus" text, title text, price jsonb,
      "frozenFields" jsonb, problems jsonb
    )
  ),
  before as (
    select
      offers.id, offers.status,
      case when shown.status = 'ENDED' then '[]' else ${unwrittenProblems} end as "ownProblems",
      shown.status <> 'ENDED' and (
        offers.status = 'FAILED'
        or (offers.frozen_fields ? 'stock' and not shown."frozenFields" ? 'stock')
      ) as "isToWrite"
    from offers
    join shown on shown."externalId" = offers.external_id
    where offers.connection_id = $1
      and ${isVisible}
      and ${isCreated}
    order by offers.id
    for update of offers
  ),
  stored as (
    update offers set
      status = case when offers.status = 'ENDED' then 'ENDED' else shown.status end,
      upstream_status = shown."upstreamStatus",
      title = coalesce(offers.title, shown.title),
      price = coalesce(offers.price, shown.price),
      frozen_fields = shown."frozenFields",
      problems = shown.problems || before."ownProblems",
      seen_at = now(),
      -- The jobs of this version may have ended while the offer was missing or its stock frozen.
      link_version = offers.link_version + before."isToWrite"::integer,
      updated_at = case
        when offers.status is distinct from shown.status
          or offers.problems <> shown.problems || before."ownProblems"
        then now()
        else offers.updated_at
      end
    from shown, before
    where before.id = offers.id and shown."externalId" = offers.external_id
    returning offers.id, before.status as before, offers.status, before."isToWrite"
  )
  select * from stored
  where before <> status or "isToWrite"`

/**
 * Stores what the marketplace shows of offers that were not written within its lag:
 *
 *     DRAFT ──▶ ACTIVE ⇄ INACTIVE ──▶ ENDED
 *     FAILED ──▶ ACTIVE, INACTIVE: it was created after all
 *
 * Answers the number of changed statuses, and the ids of the offers to write: their quantity was
 * not written, because they had failed or their stock was frozen.
 */
export async function storeShown (
  query: Query,
  connectionId: string,
  visibleAfterMs: number,
  shown: readonly Offer[]
): Promise<StoredShown> {
  if (shown.length === 0) return { changed: 0, toWrite: [] }
  const newest = [...new Map(shown.map(offer => [offer.externalId, offer])).values()]
  const rows = newest.map(offer => ({ ...offer, problems: marketplaceProblems(offer.problems) }))
  const stored = await query<{ id: string, before: string, status: string, isToWrite: boolean }>(
    updateShown,
    [connectionId, visibleAfterMs, toStorableJson(rows)]
  )
  return {
    changed: stored.filter(({ before, status }) => before !== status).length,
    toWrite: stored.filter(({ isToWrite }) => isToWrite).map(({ id }) => id)
  }
}

const neverShown: OfferProblem = {
  code: 'never-shown',
  detail: 'the marketplace accepted the offer but never showed it'
}
const unknown: OfferProblem = {
  code: 'unknown-at-marketplace',
  detail: 'the marketplace does not know the offer any more'
}

const endAbsent = `
  update offers set
    status = case status when 'DRAFT' then 'FAILED' else 'ENDED' end,
    upstream_status = null,
    updated_at = now(),
    problems = case status
      when 'DRAFT' then $3::jsonb
      else $4::jsonb
    end
  where id = any($1::uuid[])
    and ${isExpected}
    and ${isVisible}
  returning id`

/**
 * Ends offers that the marketplace does not know, although it should show them by now. A draft that
 * never appeared becomes a failed offer.
 */
export async function storeAbsent (query: Query, visibleAfterMs: number, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const ended = await query(endAbsent, [ids, visibleAfterMs, JSON.stringify([neverShown]), JSON.stringify([unknown])])
  return ended.length
}
