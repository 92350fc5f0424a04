import { sellsInactiveSql } from '../../connections/statements.ts'
import { isoOf } from '../../database/iso-of.ts'
import { isSellableSql, publishedQuantitySql, reservedSql } from '../../stock/statements.ts'
import { isUnwritten, problemsOfWritten, unwrittenProblems } from '../statements.ts'

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

export const selectExpected = `
  select id, external_id as "externalId"
  from offers
  where connection_id = $1
    and ${isExpected}
    and ${isVisible}
    and ($3::timestamptz is null or seen_at is null or seen_at < $3)
    and ($4::uuid is null or id > $4)
  order by id
  limit $5`

export const selectRefreshed = `
  select
    id, external_id as "externalId", status, quantity, price, ${isoOf('last_synced_at')} as "writtenAt",
    case when not (${isVisible}) then ${isoOf(`(${lastWrite} + interval '1 millisecond' * $2)`)} end as "staleUntil"
  from offers
  where connection_id = $1
    and id = $3
    and ${isCreated}`

export const updateShown = `
  with shown as (
    select *
    from jsonb_to_recordset($3::jsonb) as shown (
      "externalId" text, reference text, sku text, ean text, status text, "upstreamStatus" text,
      title text, price jsonb,
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
      reference = shown.reference,
      sku = shown.sku,
      ean = shown.ean,
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

export const endAbsent = `
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

// SQL: whether the marketplace had refused a quantity of the offer before this statement.
const wasRefused = `before.problems @> '[{"code": "quantity-refused"}]'`

// The versions differ while a job is about to write the offer: the marketplace will show something
// else soon. Stock that was frozen from the beginning has no `last_synced_at`.
export const selectSettled = `
  select
    offers.id, offers.external_id as "externalId", offers.quantity as sent, offers.frozen_fields as "frozenFields",
    offers.buffer, offers.max_listed as "maxListed", stock.quantity,
    ${reservedSql} as reserved, stock.is_counted as "isCounted", ${isSellableSql} as "isSellable",
    ${sellsInactiveSql('offers.connection_id')} as "sellsInactive",
    stock.confirmed_quantity as "confirmedQuantity"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where offers.connection_id = $1
    and offers.status not in ('ENDED', 'FAILED')
    and offers.stock_version = stock.version
    and offers.sent_link_version = offers.link_version
    and coalesce(offers.last_synced_at, '-infinity') < now() - interval '1 millisecond' * $2
    and offers.external_id = any($3)`

export const updateCompared = `
  update offers set
    upstream_quantity = shown,
    upstream_read_at = now(),
    link_version = offers.link_version + differs::integer,
    problems = case when differs then offers.problems else ${problemsOfWritten} end,
    frozen_fields = (
      select coalesce(jsonb_agg(distinct field), '[]')
      from (
        select jsonb_array_elements_text(offers.frozen_fields) as field
        except select 'stock'
        union select 'stock' where frozen
      ) as fields
    )
  from jsonb_to_recordset($1::jsonb) as found (id uuid, shown integer, frozen boolean, differs boolean), stock,
    offers as before
  where offers.id = found.id
    and before.id = found.id
    and stock.variant_id = offers.variant_id
    and offers.stock_version = stock.version
    and offers.sent_link_version = offers.link_version
  returning offers.id, differs, not differs and ${wasRefused} as "isTaken"`

// The last version was written, and the marketplace may still show an earlier state.
export const selectWithinLag = `
  select
    offers.id, offers.external_id as "externalId", offers.quantity as sent,
    offers.stock_version as "stockVersion", offers.sent_link_version as "linkVersion",
    coalesce(offers.created_upstream_at >= now() - interval '1 millisecond' * $2, false) as "isNew"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where offers.connection_id = $1
    and offers.status not in ('ENDED', 'FAILED')
    and offers.stock_version = stock.version
    and offers.sent_link_version = offers.link_version
    and offers.last_synced_at >= now() - interval '1 millisecond' * $2
    and offers.quantity is not null
    and offers.external_id = any($3)`

export const updateWithinLag = `
  update offers set
    upstream_quantity = case when "mayBeOlder" then offers.upstream_quantity else shown end,
    upstream_read_at = case when "mayBeOlder" then offers.upstream_read_at else now() end,
    lag_quantity = case when "mayBeOlder" then shown else offers.lag_quantity end,
    lag_read_at = case when "mayBeOlder" then now() else offers.lag_read_at end,
    problems = case when shown = offers.quantity then ${problemsOfWritten} else offers.problems end
  from jsonb_to_recordset($1::jsonb) as found (
    id uuid, shown integer, "mayBeOlder" boolean, "stockVersion" integer, "linkVersion" integer
  ), offers as before
  where offers.id = found.id
    and before.id = found.id
    and offers.stock_version = found."stockVersion"
    and offers.sent_link_version = found."linkVersion"
  returning offers.id, shown = offers.quantity and ${wasRefused} as "isTaken"`

/** Number of offers in a page. */
export const pageSize = 200

const lockUnwritten = (condition: string): string => `
  select offers.id, offers.connection_id as "connectionId", stock.version, offers.link_version as "linkVersion"
  from offers
  join stock on stock.variant_id = offers.variant_id
  where ${condition}
    and offers.status not in ('ENDED', 'FAILED')
    and (offers.status <> 'DRAFT' or offers.created_upstream_at is not null)
    and ${isUnwritten}
  order by offers.id
  limit ${pageSize}
  for update of offers`

export const lockUnwrittenOffer = lockUnwritten('offers.id = $1')

export const lockUnwrittenPage = lockUnwritten('offers.connection_id = $1 and ($2::uuid is null or offers.id > $2)')

export const raiseLinkVersions =
  'update offers set link_version = link_version + 1, updated_at = now() where id = any($1::uuid[])'

// The limit lets PostgreSQL enter the stock of each offer by its key, and not read all stock. The
// offset keeps the choice of the offers apart from the price of the quantity.
export const selectDrifting = `
  select
    offers.id, offers.connection_id as "connectionId", offers.external_id as "externalId",
    offers.quantity as sent, ${publishedQuantitySql} as wanted,
    stock.version, offers.link_version as "linkVersion",
    case
      when offers.status = 'DRAFT' and offers.created_upstream_at is null then 'not-created'
      when offers.frozen_fields ? 'stock' then 'frozen'
      when not ${isUnwritten} then 'wished'
    end as "keptBecause"
  from (
    select *
    from offers
    where connection_id = $1 and ($2::uuid is null or id > $2) and status not in ('ENDED', 'FAILED')
    order by id
    offset 0
  ) as offers
  cross join lateral (
    select * from stock where stock.variant_id = offers.variant_id limit 1
  ) as stock
  where offers.quantity is distinct from ${publishedQuantitySql}
  order by offers.id
  limit ${pageSize}`
