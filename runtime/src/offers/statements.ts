import { sellsInactiveSql } from '../connections/statements.ts'
import { isoOf } from '../database/iso-of.ts'
import { prepared } from '../database/prepared.ts'
import { isSellableSql, offerDrifts, reservedSql } from '../stock/statements.ts'
import type { OfferProblemCode } from './problem-codes.ts'

function listOf (codes: readonly OfferProblemCode[]): string {
  return `array[${codes.map(code => `'${code}'`).join(', ')}]`
}

function problemsThat (condition: string): string {
  return `(
    select coalesce(jsonb_agg(kept.problem), '[]')
    from jsonb_array_elements(offers.problems) as kept (problem)
    where ${condition}
  )`
}

/** SQL on a row of `offers`: its problems without those of these codes. */
const problemsWithout = (...codes: OfferProblemCode[]): string =>
  problemsThat(`coalesce(kept.problem ->> 'code', '') <> all(${listOf(codes)})`)

// A written quantity proves that the offer exists, and replaces an earlier write that failed. One
// that a marketplace refused later stays until a reading shows the new quantity, because the
// marketplace may refuse that one later, too. Of some offers nobody can read the quantity.
const withoutQuantityProblems = `
  case
    when offers.upstream_read_at is null
    then ${problemsWithout('quantity-refused', 'not-looked-up', 'quantity-not-written')}
    else ${problemsWithout('not-looked-up', 'quantity-not-written')}
  end`
// An ended offer needs no write any more.
const withoutOwnProblems = problemsWithout(
  'quantity-refused',
  'not-looked-up',
  'quantity-not-written',
  'change-not-written',
  'not-ended'
)

/** SQL: the problems that a reading does not settle, because the quantity is still unwritten. */
export const unwrittenProblems =
  problemsThat(`kept.problem ->> 'code' = any(${listOf(['quantity-not-written', 'quantity-refused'])})`)

/** SQL: the problems of an offer that shows the quantity of the last write. */
export const problemsOfWritten = problemsWithout('quantity-refused')

/** SQL: whether the marketplace refused a quantity. A partial index has it, word for word. */
export const isRefused = `offers.problems @> '[{"code": "quantity-refused"}]'::jsonb`

// A problem that an earlier version noted has no time; the refusal came after the write.
/** SQL: when the marketplace first refused a quantity of an offer with `quantity-refused`. */
export const refusedSinceSql = `coalesce(
  (
    select (kept.problem ->> 'since')::timestamptz
    from jsonb_array_elements(offers.problems) as kept (problem)
    where kept.problem ->> 'code' = 'quantity-refused'
    limit 1
  ),
  offers.last_synced_at
)`

/** SQL: whether the last version of the stock or of the link was not written to the offer. */
export const isUnwritten = `(
  offers.stock_version is distinct from stock.version
  or offers.sent_link_version is distinct from offers.link_version
)`

export const selectReferenced = `
  select id, status, price
  from offers
  where connection_id = $1 and (external_id = $2 or id = $3::uuid)
  order by (id = $3::uuid) desc nulls last
  limit 1`

export const selectConnectionOf = 'select connection_id as "connectionId" from offers where id = $1'

export const selectWritten = `
  select
    offers.id, offers.connection_id as "connectionId", offers.external_id as "externalId", offers.status,
    offers.created_upstream_at as "createdUpstreamAt", offers.buffer, offers.max_listed as "maxListed",
    offers.frozen_fields as "frozenFields", offers.link_version as "linkVersion",
    stock.confirmed_quantity as "confirmedQuantity",
    stock.quantity, ${reservedSql} as reserved, stock.is_counted as "isCounted",
    (select is_sellable from variants where variants.id = offers.variant_id) as "isSellable",
    stock.version as "stockVersion", ${sellsInactiveSql('offers.connection_id')} as "sellsInactive"
  from offers
  left join stock on stock.variant_id = offers.variant_id
  where offers.id = $1`

const selectOfferStock = (condition: string): string => `
  select offers.id, offers.connection_id as "connectionId", offers.external_id as "externalId", offers.status,
    offers.created_upstream_at as "createdUpstreamAt", offers.stock_version as "sentVersion",
    offers.sent_link_version as "sentLinkVersion", offers.quantity as "sentQuantity",
    offers.link_version as "linkVersion", offers.buffer, offers.max_listed as "maxListed",
    offers.upstream_quantity as "upstreamQuantity", offers.frozen_fields as "frozenFields",
    ${isoOf('offers.upstream_read_at')} as "upstreamReadAt",
    stock.confirmed_quantity as "confirmedQuantity",
    stock.quantity, ${reservedSql} as reserved, stock.is_counted as "isCounted", ${isSellableSql} as "isSellable",
    stock.version, ${sellsInactiveSql('offers.connection_id')} as "sellsInactive"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where ${condition}`

export const selectToWrite = prepared(selectOfferStock('offers.id = any($1::uuid[])'))

export const selectSettledToWrite = `${selectOfferStock('offers.id = $1')} for share of offers`

const selectVersions = (condition: string): string => `
  select offers.id, offers.variant_id as "variantId", offers.connection_id as "connectionId", stock.version,
    offers.link_version as "linkVersion"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where ${condition} and offers.status not in ('ENDED', 'FAILED')
  order by offers.id`

export const selectVersionsOfVariants = prepared(selectVersions('offers.variant_id = any($1::uuid[])'))

export const selectVersionsOfOffers = prepared(selectVersions('offers.id = any($1::uuid[])'))

export const updateLimits = `
  update offers set
    buffer = coalesce($2, buffer),
    max_listed = case when $4 then $3 else max_listed end,
    link_version = link_version + 1,
    updated_at = $5
  where id = $1
    and (buffer <> coalesce($2, buffer) or ($4 and max_listed is distinct from $3))
  returning id`

export const raiseSwitchedOff = `
  with switched as (
    select offers.id
    from offers
    join variants on variants.id = offers.variant_id
    where offers.connection_id = $1
      and offers.status not in ('ENDED', 'FAILED')
      and not variants.is_sellable
    order by offers.id
    for update of offers
  )
  update offers set link_version = link_version + 1, updated_at = now()
  from switched
  where offers.id = switched.id
  returning offers.id`

// The version of the link grows when the stock changed meanwhile: the quantity job that came for
// the change found no offer.
export const updateCreated = `
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

export const updateFailed = `
  update offers
  set status = 'FAILED', problems = $3, updated_at = now()
  where id = $1
    and status = 'DRAFT'
    and create_job_id = $2
    and created_upstream_at is null`

export const updateRevived = `
  update offers
  set status = 'DRAFT', problems = '[]', updated_at = now()
  where id = $1
    and status = 'FAILED'
    and create_job_id = $2
    and created_upstream_at is null`

export const updateFields = `
  update offers
  set price = case when $2 then $3::jsonb else price end,
    title = case when $4 then $5 else title end,
    written_at = now(),
    updated_at = now(),
    problems = ${problemsWithout('change-not-written')},
    frozen_fields = (
      select coalesce(jsonb_agg(distinct field), '[]')
      from (
        select jsonb_array_elements_text(frozen_fields) as field
        except select unnest($6::text[])
        union select unnest($7::text[])
      ) as fields
    )
  where id = $1`

export const updateEnded = `
  update offers
  set status = 'ENDED', problems = ${withoutOwnProblems}, written_at = now(), updated_at = now()
  where id = $1`

// A quantity that was not sent says nothing about the offer: a reading may have seen it thaw
// meanwhile. One that the seller's freeze held back is no write: the hub need not wait until the
// platform shows it. `$2` holds the same ids as the records, so that the planner always enters the
// table by its key.
export const updateQuantities = prepared(`
  with locked as (
    select id, problems @> '[{"code": "quantity-not-written"}]'::jsonb as "hadFailed"
    from offers
    where id = any($2::uuid[])
    order by id
    for no key update
  )
  update offers
  set quantity = case when written."isFrozen" then offers.quantity else written.quantity end,
    upstream_quantity = case when written."isFrozen" then offers.upstream_quantity end,
    stock_version = written."stockVersion",
    sent_link_version = written."linkVersion",
    updated_at = now(),
    problems = ${withoutQuantityProblems},
    last_synced_at = case
      when written."isSent" and not written."isFrozen" then now()
      else offers.last_synced_at
    end,
    frozen_fields = case
      when written."isSent" then (
        select coalesce(jsonb_agg(distinct field), '[]')
        from (
          select jsonb_array_elements_text(offers.frozen_fields) as field
          except select 'stock'
          union select 'stock' where written."isFrozen"
        ) as fields
      )
      else offers.frozen_fields
    end
  from jsonb_to_recordset($1::jsonb) as written (
    "offerId" uuid, quantity integer, "stockVersion" integer, "linkVersion" integer, "isFrozen" boolean,
    "isSent" boolean
  )
  join locked on locked.id = written."offerId"
  where offers.id = locked.id
  returning offers.id, offers.connection_id as "connectionId", locked."hadFailed"`)

export const raiseLinkVersion = `
  with locked as (
    select offers.id
    from offers
    join jsonb_to_recordset($1::jsonb) as sold ("connectionId" uuid, "externalId" text)
      on offers.connection_id = sold."connectionId" and offers.external_id = sold."externalId"
    order by offers.id
    for no key update of offers
  )
  update offers set link_version = link_version + 1, updated_at = now()
  where id in (select id from locked) and status not in ('ENDED', 'FAILED')
  returning id`

// `version` and `linkVersion` are those of the write that was refused.
export const forgetRefused = `
  with refused as (
    select
      offers.id, offers.stock_version, offers.sent_link_version, given.problem,
      ${isoOf(`case when ${isRefused} then ${refusedSinceSql} else now() end`)} as since
    from jsonb_to_recordset($2::jsonb) as given ("externalId" text, quantity bigint, problem jsonb)
    join offers
      on offers.connection_id = $1
      and offers.external_id = given."externalId"
      and offers.quantity = given.quantity
    where offers.status not in ('ENDED', 'FAILED')
      and offers.last_synced_at is not null
    order by offers.id
    for no key update of offers
  )
  update offers set
    quantity = null,
    stock_version = null,
    upstream_quantity = null,
    updated_at = now(),
    problems = ${
  problemsWithout('quantity-refused')
} || jsonb_build_array(refused.problem || jsonb_build_object('since', refused.since))
  from refused
  where offers.id = refused.id
  returning offers.id, offers.connection_id as "connectionId", refused.stock_version as version,
    refused.sent_link_version as "linkVersion", refused.problem`

export const appendQuantityProblem = `
  update offers set
    problems = ${problemsWithout('quantity-not-written')} || $3::jsonb,
    updated_at = now()
  from stock
  where offers.id = $1
    and offers.connection_id = $2
    and stock.variant_id = offers.variant_id
    and offers.status not in ('ENDED', 'FAILED')
    and ${isUnwritten}`

/** SQL: puts a problem on an offer, in the place of an earlier one of the same code. */
export const appendProblem = (code: OfferProblemCode): string => `
  update offers set
    problems = ${problemsWithout(code)} || $3::jsonb,
    updated_at = now()
  where id = $1
    and connection_id = $2
    and status not in ('ENDED', 'FAILED')`

export const countOfConnection = 'select count(*)::integer as count from offers where connection_id = $1'

export const deleteOfConnection = 'delete from offers where connection_id = $1'

const mostFollowers = 20

export const selectFollowers = `
  select connections.id, connections.name, count(*)::integer as count
  from products
  join variants on variants.product_id = products.id
  join offers on offers.variant_id = variants.id
  join connections on connections.id = offers.connection_id
  where products.connection_id = $1
    and offers.connection_id <> $1
    and offers.status not in ('ENDED', 'FAILED')
  group by connections.id, connections.name
  order by connections.name, connections.id
  limit ${mostFollowers}`

export const countDrifts = `
  select offers.connection_id as "connectionId", count(*)::integer as drift
  from offers
    join stock on stock.variant_id = offers.variant_id
  where ${offerDrifts}
  group by offers.connection_id`
