import { hasEan, hasSku } from '../../catalog/statements.ts'
import { isOfAny } from '../../connections/statements.ts'
import { isoOf } from '../../database/iso-of.ts'

export const insertLinks = `
  insert into offers (
    id, connection_id, variant_id, external_id, reference, sku, ean, status, upstream_status,
    title, price, buffer, max_listed, frozen_fields, problems,
    upstream_quantity, upstream_read_at,
    seen_at,
    created_at, updated_at
  )
  select
    id, $1, "variantId", "externalId", reference, sku, ean, status, "upstreamStatus",
    title, price, buffer, "maxListed", "frozenFields", problems,
    "upstreamQuantity", case when "upstreamQuantity" is not null then now() end,
    case when "isSeen" then now() else "seenAt" end,
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  from jsonb_to_recordset($2::jsonb) as link (
    id uuid, "variantId" uuid, "externalId" text, reference text, sku text, ean text,
    status text, "upstreamStatus" text, title text, price jsonb,
    buffer integer, "maxListed" integer, "frozenFields" jsonb, problems jsonb,
    "upstreamQuantity" integer, "isSeen" boolean, "seenAt" timestamptz
  )
  order by "externalId"
  on conflict (connection_id, external_id) do nothing
  returning id`

export const selectUnknown = `
  select shown."externalId", variants.id as "variantId", kept.released_at is not null as "isReleased"
  from jsonb_to_recordset($2::jsonb) as shown ("externalId" text, "variantId" uuid)
  left join variants on variants.id = shown."variantId"
  left join unlinked_offers as kept on kept.connection_id = $1 and kept.external_id = shown."externalId"
  where not exists (
    select from offers
    where offers.connection_id = $1 and offers.external_id = shown."externalId"
  )`

export const upsertUnlinked = `
  insert into unlinked_offers (
    id, connection_id, external_id, reference, sku, ean, status, upstream_status,
    title, price, quantity, seen_at, created_at
  )
  select
    id, $1, "externalId", reference, sku, ean, status, "upstreamStatus",
    title, price, quantity, now(), date_trunc('milliseconds', now())
  from jsonb_to_recordset($2::jsonb) as shown (
    id uuid, "externalId" text, reference text, sku text, ean text, status text, "upstreamStatus" text,
    title text, price jsonb, quantity integer
  )
  order by "externalId"
  on conflict (connection_id, external_id) do update set
    reference = excluded.reference,
    sku = excluded.sku,
    ean = excluded.ean,
    status = excluded.status,
    upstream_status = excluded.upstream_status,
    title = excluded.title,
    price = excluded.price,
    quantity = excluded.quantity,
    seen_at = now()`

export const deleteUnseen = `
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

export const hideUnseen = `
  update unlinked_offers set status = null, seen_at = null
  where connection_id = $1 and seen_at < $2`

export const moveToUnlinked = `
  with gone as (delete from offers where id = $2 returning *)
  insert into unlinked_offers (
    id, connection_id, external_id, reference, sku, ean, status, upstream_status,
    title, price, quantity, seen_at, released_at, created_at
  )
  select
    $1, connection_id, external_id, reference, sku, ean,
    case when status in ('ACTIVE', 'INACTIVE') then status end, upstream_status,
    title, price, upstream_quantity, seen_at, now(), date_trunc('milliseconds', now())
  from gone
  on conflict (connection_id, external_id) do update set released_at = now()
  returning id`

export const deleteUnlinked = 'delete from unlinked_offers where connection_id = $1 and external_id = any($2::text[])'

/** SQL on rows of `unlinked_offers`: whether the offer is at the marketplace and not linked. */
// Not an anti-join: PostgreSQL expects that hardly a row is left of it, and would read both tables
// from end to end for the first page.
export const isUnlinked = `(
  kept.status is not null
  and (
    select linked.id from offers as linked
    where linked.connection_id = kept.connection_id and linked.external_id = kept.external_id
  ) is null
)`

/** SQL on rows of `unlinked_offers`: whether the offer has this id at its marketplace. */
export const isAt = (externalId: string): string =>
  `(${isOfAny('kept.connection_id')} and kept.external_id = ${externalId})`

/** SQL on rows of `unlinked_offers`: whether the marketplace shows this SKU with the offer. */
export const showsSku = (sku: string): string => `(${isOfAny('kept.connection_id')} and ${hasSku('kept.sku', sku)})`

/** SQL on rows of `unlinked_offers`: whether the marketplace shows this EAN with the offer. */
export const showsEan = (ean: string): string => `(${isOfAny('kept.connection_id')} and ${hasEan('kept.ean', ean)})`

export const selectPage = (conditions: readonly string[], limit: string): string => `
  select
    id, connection_id as "connectionId", external_id as "externalId", reference, sku, ean, status,
    upstream_status as "upstreamStatus", title, price, quantity,
    ${isoOf('seen_at')} as "seenAt", ${isoOf('created_at')} as "createdAt"
  from unlinked_offers as kept
  where ${[isUnlinked, ...conditions].join(' and ')}
  order by created_at, id
  limit ${limit}`

export const countUnlinked = 'select count(*)::integer as count from unlinked_offers where connection_id = $1'

export const deleteUnlinkedOf = 'delete from unlinked_offers where connection_id = $1'
