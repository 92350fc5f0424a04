import { eanKey, hasEan, hasSku, nameOfVariant, textKey } from '../../catalog/statements.ts'
import { isoOf } from '../../database/iso-of.ts'
import { isUnlinked } from '../unlinked/statements.ts'

/** SQL: whether the marketplace shows the offer. */
export const isAtMarketplace = `(
  offers.status in ('ACTIVE', 'INACTIVE')
  or (offers.status = 'DRAFT' and offers.created_upstream_at is not null)
)`

const linkedOffer = `
  select
    offers.external_id as "externalId", offers.id as "offerId", offers.variant_id as "variantId",
    offers.reference, offers.sku, offers.ean, offers.status, offers.upstream_status as "upstreamStatus",
    offers.title, offers.price, offers.upstream_quantity as quantity,
    ${isoOf('offers.seen_at')} as "readAt", false as "isReleased"
  from offers
  where offers.connection_id = $1 and ${isAtMarketplace}`

const unlinkedOffer = `
  select
    kept.external_id as "externalId", null::uuid as "offerId", null::uuid as "variantId",
    kept.reference, kept.sku, kept.ean, kept.status, kept.upstream_status as "upstreamStatus",
    kept.title, kept.price, kept.quantity,
    ${isoOf('kept.seen_at')} as "readAt", kept.released_at is not null as "isReleased"
  from unlinked_offers as kept
  where kept.connection_id = $1 and ${isUnlinked}`

// The ids of a connection's offers have an index in both tables, so a page begins where the last
// one ended.
export const selectOffered = `
  select *
  from (
    (${linkedOffer} and $4::boolean and offers.external_id > $2 order by offers.external_id limit $3)
    union all
    (${unlinkedOffer} and $5::boolean and kept.external_id > $2 order by kept.external_id limit $3)
  ) as offered
  order by "externalId"
  limit $3`

export const selectNamed = `
  ${linkedOffer} and offers.external_id = any($2::text[])
  union all
  ${unlinkedOffer} and kept.external_id = any($2::text[])`

const isOwnReference = (reference: string, variantId: string): string =>
  `${textKey(reference)} = ${textKey(`${variantId}::text`)}`
// A reference is compared as it is written: it may be any number, and only zeros may differ in an
// EAN.
const isEanAsWritten = (text: string, ean: string): string => `${hasSku(text, ean)} and ${eanKey(ean)} <> ''`

/** SQL: whether another unlinked offer of the marketplace meets a condition. */
const existsOther = (condition: string): string =>
  `exists (
      select from unlinked_offers as kept
      where kept.connection_id = $1
        and kept.external_id <> found."externalId"
        and ${condition}
        and ${isUnlinked}
    )`

const hasRival = `(
    ${existsOther(isOwnReference('kept.reference', 'variants.id'))}
    or found."matchedBy" <> 'reference' and (
      ${existsOther(hasSku('kept.sku', 'variants.sku'))}
      or ${existsOther(hasSku('kept.reference', 'variants.sku'))}
    )
    or found."matchedBy" = 'ean' and (
      ${existsOther(hasEan('kept.ean', 'variants.ean'))}
      or ${existsOther(isEanAsWritten('kept.reference', 'variants.ean'))}
    )
  )`

/** Matches of one value of an offer: one more than people are shown. */
const mostMatches = 6

// Missing variants must not take the places of present ones: a second present one makes an offer
// ambiguous.
const matching = (condition: string): string => `
      (select id from variants where ${condition} and missing_at is null limit ${mostMatches})
      union
      (select id from variants where ${condition} and missing_at is not null limit 1)`

const eanAsWritten = [
  hasEan('variants.ean', 'shown.reference'),
  isEanAsWritten('variants.ean', 'shown.reference')
].join(' and ')

export const selectCandidates = `
  with shown as (
    select *
    from jsonb_to_recordset($2::jsonb) as shown (
      "externalId" text, "variantId" uuid, reference text, sku text, ean text
    )
  ),
  found as (
    select shown."externalId", variants.id, 'reference' as "matchedBy"
    from shown
    join variants on variants.id = shown."variantId"
    union all
    select shown."externalId", matching.id, 'sku'
    from shown
    cross join lateral (
      ${matching(hasSku('variants.sku', 'shown.sku'))}
      union
      ${matching(hasSku('variants.sku', 'shown.reference'))}
    ) as matching
    union all
    select shown."externalId", matching.id, 'ean'
    from shown
    cross join lateral (
      ${matching(hasEan('variants.ean', 'shown.ean'))}
      union
      ${matching(eanAsWritten)}
    ) as matching
  )
  select
    found."externalId", found."matchedBy", variants.id as "variantId",
    variants.name, variants.sku, variants.ean, variants."isMissing",
    exists (
      select from offers
      where offers.connection_id = $1
        and offers.variant_id = variants.id
        and offers.status not in ('ENDED', 'FAILED')
    ) as "hasOffer",
    ${hasRival} as "hasRival"
  from found
  -- The limit makes PostgreSQL look up each variant instead of reading all of them.
  cross join lateral (
    select
      variants.id, ${nameOfVariant} as name, variants.sku, variants.ean,
      variants.missing_at is not null as "isMissing"
    from variants
    join products on products.id = variants.product_id
    where variants.id = found.id
    limit 1
  ) as variants
  order by found."externalId", variants.id`

// Stronger than the lock of a link of one offer: a link to one of these variants waits, or is seen
// by the statements that follow.
export const lockForLinks = 'select id from variants where id = any($1::uuid[]) order by id for update'
