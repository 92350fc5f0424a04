import type { Offer } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import type { Query } from '../database/database.ts'
import { isoOf } from '../database/iso-of.ts'
import { isUuid } from '../text-patterns.ts'
import { decodeCursor } from '../http/paging.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { storableQuantity } from './compare.ts'
import { insertLinked } from './insert-linked.ts'
import type { UnlinkedOfferQuery, UnlinkedOfferView } from './schemas.ts'

/** The unknown offers of a page: ids of the newly linked ones, and the number of the others. */
export interface Mapped {
  linkedIds: string[]
  unlinked: number
}

interface Unknown {
  externalId: string
  variantId: string | null
  isReleased: boolean
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
  const unknown = await findUnknown(query, connectionId, [...offers.values()])
  const links = unknown.filter(isLinkable).map(({ externalId, variantId }) => {
    return { id: randomUUID(), externalId, variantId, shown: offers.get(externalId) }
  })
  const unlinked = unknown.filter(offer => !isLinkable(offer)).flatMap(({ externalId }) => offers.get(externalId) ?? [])
  await storeUnlinked(query, connectionId, unlinked)
  const linkedIds = links.length === 0 ? [] : await insertLinked(query, connectionId, links)
  return { linkedIds, unlinked: unlinked.length }
}

/** Answers how many of the offers `mapUnknown` would link. */
export async function countLinkable (query: Query, connectionId: string, shown: readonly Offer[]): Promise<number> {
  const unknown = await findUnknown(query, connectionId, shown.filter(({ status }) => status !== 'ENDED'))
  return unknown.filter(isLinkable).length
}

function isLinkable (offer: Unknown): offer is Unknown & { variantId: string } {
  return offer.variantId !== null && !offer.isReleased
}

const selectUnknown = `
  select shown."externalId", variants.id as "variantId", kept.released_at is not null as "isReleased"
  from jsonb_to_recordset($2::jsonb) as shown ("externalId" text, "variantId" uuid)
  left join variants on variants.id = shown."variantId"
  left join unlinked_offers as kept on kept.connection_id = $1 and kept.external_id = shown."externalId"
  where not exists (
    select from offers
    where offers.connection_id = $1 and offers.external_id = shown."externalId"
  )`

/**
 * Answers the offers that the hub does not know. One statement sees an offer either as linked or as
 * released, while somebody unlinks it; two statements could see it as neither.
 */
async function findUnknown (query: Query, connectionId: string, offers: readonly Offer[]): Promise<Unknown[]> {
  const rows = offers.map(({ externalId, reference = '' }) => {
    const variantId = reference.toLowerCase()
    return { externalId, variantId: isUuid(variantId) ? variantId : null }
  })
  return query<Unknown>(selectUnknown, [connectionId, toStorableJson(rows)])
}

const upsertUnlinked = `
  insert into unlinked_offers (
    id, connection_id, external_id, reference, status, upstream_status,
    title, price, quantity, seen_at, created_at
  )
  select
    id, $1, "externalId", reference, status, "upstreamStatus",
    title, price, quantity, now(), date_trunc('milliseconds', now())
  from jsonb_to_recordset($2::jsonb) as shown (
    id uuid, "externalId" text, reference text, status text, "upstreamStatus" text,
    title text, price jsonb, quantity integer
  )
  order by "externalId"
  on conflict (connection_id, external_id) do update set
    reference = excluded.reference,
    status = excluded.status,
    upstream_status = excluded.upstream_status,
    title = excluded.title,
    price = excluded.price,
    quantity = excluded.quantity,
    seen_at = now()`

async function storeUnlinked (query: Query, connectionId: string, offers: readonly Offer[]): Promise<void> {
  if (offers.length === 0) return
  const rows = offers.map(offer => ({ ...offer, id: randomUUID(), quantity: storableQuantity(offer.quantity) }))
  await query(upsertUnlinked, [connectionId, toStorableJson(rows)])
}

const deleteUnseen = `
  delete from unlinked_offers
  where connection_id = $1
    and released_at is null
    and (
      seen_at < $2
      or exists (
        select from offers
        where offers.connection_id = $1 and offers.external_id = unlinked_offers.external_id
      )
    )`

const hideUnseen = `
  update unlinked_offers set status = null, seen_at = null
  where connection_id = $1 and seen_at < $2`

/**
 * Forgets unlinked offers that the marketplace has not shown since a time, ISO 8601, or that are
 * linked by now. Keeps the mark that an operator unlinked an offer: a list may leave out an offer
 * that exists, and the next list would link it again.
 */
export async function forgetUnseen (query: Query, connectionId: string, since: string): Promise<void> {
  await query(deleteUnseen, [connectionId, since])
  await query(hideUnseen, [connectionId, since])
}

const moveToUnlinked = `
  with gone as (delete from offers where id = $2 returning *)
  insert into unlinked_offers (
    id, connection_id, external_id, status, upstream_status,
    title, price, quantity, seen_at, released_at, created_at
  )
  select
    $1, connection_id, external_id, case when status in ('ACTIVE', 'INACTIVE') then status end, upstream_status,
    title, price, upstream_quantity, seen_at, now(), date_trunc('milliseconds', now())
  from gone
  on conflict (connection_id, external_id) do update set released_at = now()
  returning id`

/**
 * Unlinks an offer. Only an operator links it again, whatever its reference says. Answers whether
 * the offer existed.
 */
export async function releaseOffer (query: Query, id: string): Promise<boolean> {
  const released = await query(moveToUnlinked, [randomUUID(), id])
  return released.length > 0
}

/** Forgets that an operator unlinked an offer, because one links it again. */
export async function forgetRelease (query: Query, connectionId: string, externalId: string): Promise<void> {
  await query('delete from unlinked_offers where connection_id = $1 and external_id = $2', [connectionId, externalId])
}

const selectUnlinked = `
  select
    id, connection_id as "connectionId", external_id as "externalId", reference, status,
    upstream_status as "upstreamStatus", title, price, quantity,
    ${isoOf('seen_at')} as "seenAt", ${isoOf('created_at')} as "createdAt"
  from unlinked_offers as kept
  where status is not null
    and ($1::uuid is null or connection_id = $1)
    and ($2::timestamptz is null or (created_at, id) > ($2, $3::uuid))
    and not exists (
      select from offers
      where offers.connection_id = kept.connection_id and offers.external_id = kept.external_id
    )
  order by created_at, id
  limit $4`

/** Answers unlinked offers, oldest first. */
export async function listUnlinked (query: Query, wanted: UnlinkedOfferQuery): Promise<UnlinkedOfferView[]> {
  const { connectionId, limit, cursor } = wanted
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return query<UnlinkedOfferView>(
    selectUnlinked,
    [connectionId ?? null, after?.createdAt ?? null, after?.id ?? null, limit]
  )
}
