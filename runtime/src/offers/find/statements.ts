import { hasEan, hasSku, idsFoundBy, nameOfVariant, textKey } from '../../catalog/statements.ts'
import { isOfAny } from '../../connections/statements.ts'
import { isoOf } from '../../database/iso-of.ts'
import { leftSql } from '../../stock/statements.ts'
import { isRefused, refusedSinceSql } from '../statements.ts'
import { isUnlinked } from '../unlinked/statements.ts'

// Partial indexes have these conditions, word for word.
const hasProblems = "offers.problems <> '[]'::jsonb"
const isFrozen = `offers.frozen_fields @> '["stock"]'::jsonb`

/** SQL: whether an offer has a problem with this code, or with any code when it is null. */
export const hasProblem = (code: string): string =>
  `(
  ${hasProblems} and (
    ${code}::text is null
    or offers.problems @> jsonb_build_array(jsonb_build_object('code', ${code}::text))
  )
)`

/** SQL: the offers with a warning of `offerWarnings`; a test compares the two. */
export const warningConditions = {
  'stock-frozen': isFrozen,
  oversell: `(
    ${isFrozen} and exists (
      select from stock
      where stock.variant_id = offers.variant_id
        and coalesce(offers.upstream_quantity, offers.quantity)
          > ${leftSql}
    )
  )`
} as const

/** SQL: whether a text finds an offer, by its id at a marketplace or by its variant. */
export const isFoundBy = (text: string): string =>
  `(
  offers.id in (
    select same.id from offers as same where ${isOfAny('same.connection_id')} and same.external_id = ${text}
    union
    select same.id from offers as same where same.variant_id in (${idsFoundBy(text)})
  )
)`

/** SQL: whether an offer has this id at its marketplace. */
export const isAt = (externalId: string): string =>
  `(${isOfAny('offers.connection_id')} and offers.external_id = ${externalId})`

const isOfVariantWith = (condition: string): string =>
  `offers.id in (
    select same.id from variants join offers as same on same.variant_id = variants.id where ${condition}
  )`

/** SQL: whether the variant of an offer has this SKU. */
export const isOfSku = (sku: string): string => isOfVariantWith(hasSku('variants.sku', sku))

/** SQL: whether the variant of an offer has this EAN. */
export const isOfEan = (ean: string): string => isOfVariantWith(hasEan('variants.ean', ean))

export const selectPage = (conditions: readonly string[], limit: string): string => `
  select offers.id, ${isoOf('offers.created_at')} as "createdAt"
  from offers
  where ${conditions.length === 0 ? 'true' : conditions.join(' and ')}
  order by offers.created_at, offers.id
  limit ${limit}`

const foundUnlinked = (matchedBy: string, condition: string): string => `
    (
      select kept.id, '${matchedBy}' as "matchedBy"
      from unlinked_offers as kept
      where ${isOfAny('kept.connection_id')} and ${condition} and ${isUnlinked}
      limit $3
    )`

export const selectFound = `
  with found as (
    (select id, 'id' as "matchedBy" from offers where id between $2::uuid and $4::uuid limit $3)
    union all
    (
      select offers.id, 'externalId'
      from offers
      where ${isOfAny('offers.connection_id')} and offers.external_id = $1
      limit $3
    )
    union all
    (
      select offers.id, 'sku'
      from variants
      join offers on offers.variant_id = variants.id
      where ${hasSku('variants.sku', '$1')}
      limit $3
    )
    union all
    (
      select offers.id, 'ean'
      from variants
      join offers on offers.variant_id = variants.id
      where ${hasEan('variants.ean', '$1')}
      limit $3
    )
  ),
  unlinked as (
    (
      select kept.id, 'id' as "matchedBy"
      from unlinked_offers as kept
      where kept.id between $2::uuid and $4::uuid and ${isUnlinked}
      limit $3
    )
    union all
    ${foundUnlinked('externalId', 'kept.external_id = $1')}
    union all
    ${foundUnlinked('reference', `${textKey('kept.reference')} = ${textKey('$1')}`)}
    union all
    ${foundUnlinked('sku', hasSku('kept.sku', '$1'))}
    union all
    ${foundUnlinked('ean', hasEan('kept.ean', '$1'))}
  )
  select
    offers.id, offers.variant_id as "variantId", offers.connection_id as "connectionId",
    offers.external_id as "externalId", offers.status, coalesce(offers.title, ${nameOfVariant}) as title,
    found."matchedBy"
  from found
  join offers on offers.id = found.id
  join variants on variants.id = offers.variant_id
  join products on products.id = variants.product_id
  union all
  select
    kept.id, null, kept.connection_id, kept.external_id, kept.status, kept.title,
    unlinked."matchedBy"
  from unlinked
  join unlinked_offers as kept on kept.id = unlinked.id`

/** Counts the offers that may sell more than there is, by connection, up to `$1` in all. */
export const countOversold = `
  select "connectionId", count(*)::integer as count, ${isoOf('min(since)')} as since
  from (
    select
      offers.connection_id as "connectionId",
      (select stock.updated_at from stock where stock.variant_id = offers.variant_id) as since
    from offers
    where ${warningConditions.oversell}
    limit $1
  ) as found
  group by "connectionId"`

export const countRefused = `
  select "connectionId", count(*)::integer as count, ${isoOf('min(since)')} as since
  from (
    select offers.connection_id as "connectionId", ${refusedSinceSql} as since
    from offers
    where ${isRefused} and offers.status not in ('ENDED', 'FAILED')
    limit $1
  ) as found
  group by "connectionId"`

export const selectTitles = `
  select offers.id, coalesce(${nameOfVariant}, offers.title, offers.external_id) as name
  from offers
  join variants on variants.id = offers.variant_id
  join products on products.id = variants.product_id
  where offers.id = any($1::uuid[])`
