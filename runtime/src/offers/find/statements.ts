import { idsFoundBy } from '../../catalog/statements.ts'
import { isOfAny } from '../../connections/statements.ts'
import { isoOf } from '../../database/iso-of.ts'

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
          > greatest(0, stock.quantity::bigint - stock.reserved)
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

export const selectPage = (conditions: readonly string[], limit: string): string => `
  select offers.id, ${isoOf('offers.created_at')} as "createdAt"
  from offers
  where ${conditions.length === 0 ? 'true' : conditions.join(' and ')}
  order by offers.created_at, offers.id
  limit ${limit}`
