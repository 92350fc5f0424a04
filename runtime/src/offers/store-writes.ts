import type { Query } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { withoutChangeProblems, withoutOwnProblems, withoutQuantityProblems } from './own-problems.ts'
import type { OfferProblem } from './problem-codes.ts'

// Stores on an offer what jobs wrote to its marketplace.

/** The values that an offer was created with, and the versions of stock and link behind them. */
export interface Creation {
  offerId: string
  quantity: number
  title: string
  price: unknown
  stockVersion: number | null
  linkVersion: number
}

// The version of the link grows when the stock changed meanwhile: the quantity job that came for
// the change found no offer.
const createdStatement = `
  update offers
  set created_upstream_at = now(), written_at = now(), last_synced_at = now(), updated_at = now(),
    quantity = $2, title = $3, price = $4, stock_version = $5, sent_link_version = $6,
    link_version = offers.link_version + (
      select count(*)
      from stock
      where stock.variant_id = offers.variant_id and stock.version is distinct from $5
    )::integer
  where id = $1
  returning link_version <> sent_link_version as "hasChanged"`

/** Stores a creation. Answers whether the offer is to be written again at once. */
export async function storeCreated (query: Query, creation: Creation): Promise<boolean> {
  const { offerId, quantity, title, price, stockVersion, linkVersion } = creation
  const values = [offerId, quantity, title, JSON.stringify(price), stockVersion, linkVersion]
  const [stored] = await query<{ hasChanged: boolean }>(createdStatement, values)
  return stored?.hasChanged === true
}

/** Marks the draft whose creation job died as failed, unless the marketplace has taken it. */
export async function storeFailedCreation (
  query: Query,
  offerId: string,
  jobId: string,
  details: readonly string[]
): Promise<void> {
  await query(
    `
    update offers
    set status = 'FAILED', problems = $3, updated_at = now()
    where id = $1
      and status = 'DRAFT'
      and create_job_id = $2
      and created_upstream_at is null`,
    [offerId, jobId, toStorableJson(details.map((detail): OfferProblem => ({ code: 'not-created', detail })))]
  )
}

export interface WrittenFields {
  offerId: string
  /** Absent when it was not applied. */
  price?: unknown
  title?: string | undefined
  applied: readonly string[]
  frozen: readonly string[]
}

const fieldsStatement = `
  update offers
  set price = case when $2 then $3::jsonb else price end,
    title = case when $4 then $5 else title end,
    written_at = now(),
    updated_at = now(),
    problems = ${withoutChangeProblems},
    frozen_fields = (
      select coalesce(jsonb_agg(distinct field), '[]')
      from (
        select jsonb_array_elements_text(frozen_fields) as field
        except select unnest($6::text[])
        union select unnest($7::text[])
      ) as fields
    )
  where id = $1`

/** Stores which fields the marketplace took and which the seller froze. */
export async function storeWrittenFields (query: Query, written: WrittenFields): Promise<void> {
  const { offerId, price, title, applied, frozen } = written
  await query(fieldsStatement, [
    offerId,
    applied.includes('price'),
    JSON.stringify(price ?? null),
    applied.includes('title'),
    title ?? null,
    applied,
    frozen
  ])
}

export async function storeEnded (query: Query, offerId: string): Promise<void> {
  await query(
    `
    update offers
    set status = 'ENDED', problems = ${withoutOwnProblems}, written_at = now(), updated_at = now()
    where id = $1`,
    [offerId]
  )
}

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

// A quantity that was not sent says nothing about the offer: a reading may have seen it thaw
// meanwhile.
const quantityStatement = prepared(`
  update offers
  set quantity = case when $4 then $2 else quantity end,
    upstream_quantity = case when $4 then null else upstream_quantity end,
    stock_version = $3,
    sent_link_version = $5,
    updated_at = now(),
    problems = ${withoutQuantityProblems},
    last_synced_at = case when $6 then now() else last_synced_at end,
    frozen_fields = case
      when $6 then (
        select coalesce(jsonb_agg(distinct field), '[]')
        from (
          select jsonb_array_elements_text(frozen_fields) as field
          except select 'stock'
          union select 'stock' where not $4
        ) as fields
      )
      else frozen_fields
    end
  where id = $1`)

export async function storeWrittenQuantity (query: Query, written: WrittenQuantity): Promise<void> {
  const { offerId, quantity, stockVersion, linkVersion, isFrozen, isSent } = written
  await query(quantityStatement, [offerId, quantity, stockVersion, !isFrozen, linkVersion, isSent])
}

/** An offer as a line of an order names it. */
export interface SoldOffer {
  connectionId: string
  externalId: string
}

const raiseLinkVersion = `
  update offers set link_version = link_version + 1, updated_at = now()
  from jsonb_to_recordset($1::jsonb) as sold ("connectionId" uuid, "externalId" text)
  where offers.connection_id = sold."connectionId"
    and offers.external_id = sold."externalId"
    and offers.status not in ('ENDED', 'FAILED')
  returning offers.id`

/**
 * Demands that the quantity of offers is written again, even when it is the same. Answers the ids
 * of those that are still on sale.
 */
export async function demandRewrite (query: Query, sold: readonly SoldOffer[]): Promise<string[]> {
  const offers = await query<{ id: string }>(raiseLinkVersion, [JSON.stringify(sold)])
  return offers.map(({ id }) => id)
}
