import { nameOfVariant } from '../../catalog/statements.ts'
import { isoOf } from '../../database/iso-of.ts'
import { isReadBefore } from '../statements.ts'

const columns = `
  id, connection_id as "connectionId", phase, cursor, accept_missing as "acceptMissing",
  steps, pages, seen, changed, missing, started_at::text as "startedAt"`

const keptDays = 14

export const abandonStale = `
  update inventory_sweeps set
    finished_at = now(),
    outcome = 'abandoned',
    problem = case
      when adapter <> $2 then 'another adapter version serves the connection now'
      else 'no job continued it for an hour'
    end
  where connection_id = $1
    and finished_at is null
    and (adapter <> $2 or touched_at < now() - interval '1 hour')`

export const deleteOld = `
  with old as (
    delete from inventory_sweeps
    where connection_id = $1 and finished_at < now() - interval '1 day' * ${keptDays}
  )
  delete from inventory_sweep_pages
  where sweep_id in (
    select id from inventory_sweeps
    where connection_id = $1 and finished_at is not null
  )`

export const insertSweep = `
  insert into inventory_sweeps (id, connection_id)
  values ($1, $2)
  on conflict do nothing`

export const touchRunning = `
  update inventory_sweeps set adapter = $2, touched_at = now()
  where connection_id = $1 and finished_at is null
  returning ${columns}`

export const insertAccepting = `
  insert into inventory_sweeps (id, connection_id, accept_missing)
  select $2, $1, true
  where not exists (select from inventory_sweeps where id = $2)
  on conflict (connection_id) where finished_at is null do update set accept_missing = true`

export const lockUntaken = `
  select id
  from inventory_sweeps
  where id = $1 and steps = $2 and finished_at is null
  for update`

export const updateProgress = `
  update inventory_sweeps set
    phase = $3,
    cursor = $4,
    steps = steps + 1,
    pages = pages + $5,
    seen = seen + $6,
    changed = changed + $7,
    missing = missing + $8,
    touched_at = now()
  where id = $1 and steps = $2 and finished_at is null
  returning ${columns}`

export const updateFinished = `
  update inventory_sweeps set finished_at = now(), outcome = $3, problem = $4
  where id = $1 and steps = $2 and finished_at is null
  returning id`

export const insertPage = `
  insert into inventory_sweep_pages (sweep_id, page, variant_ids)
  values ($1, $2, $3::uuid[])`

export const selectDifferences = `
  select level.id, stock.quantity as from
  from jsonb_to_recordset($1::jsonb) as level (
    id uuid, quantity integer, "isCounted" boolean, "sharedId" uuid, "isSellable" boolean
  )
  left join variants on variants.id = level.id
  left join stock on stock.variant_id = level.id
  where stock.variant_id is null
    or variants.missing_at is not null
    or variants.is_sellable <> level."isSellable"
    or stock.confirmed_quantity is not null
    or (
      (
        stock.quantity <> level.quantity
        or stock.is_counted <> level."isCounted"
        or stock.shared_id is distinct from level."sharedId"
      )
      and ($2::timestamptz is null or ${isReadBefore('$2')})
    )`

// Only count variants that the hub knew when the sweep began. A variant that came later, or that a
// job read by itself meanwhile, may belong to a page that the sweep has read already.
const ofSweep = `
    products.connection_id = $2
    and variants.missing_at is null
    and variants.created_at < $3
    and stock.read_at < $3`
const tables = `
  products
  join variants on variants.product_id = products.id
  join stock on stock.variant_id = variants.id`
// Do not use `not exists`, which becomes a join: the planner estimates ten ids in an array, and
// compares each variant with each of a hundred thousand ids.
const isUnseen = 'variants.id not in (select id from seen)'
const withSeen = `
  with seen as (
    select unnest(variant_ids) as id
    from inventory_sweep_pages
    where sweep_id = $1
  )`
const selectCounts = `
  select
    count(*)::integer as known,
    (count(*) filter (where ${isUnseen}))::integer as missing
  from ${tables}`

export const countMissingOfSweep = `${withSeen} ${selectCounts} where ${ofSweep}`

export const countMissingOfIds = `
  with seen as (select unnest($2::uuid[]) as id)
  ${selectCounts}
  where products.connection_id = $1 and variants.missing_at is null`

export const selectUnseen = `
  with seen as (select unnest($2::uuid[]) as id)
  select
    variants.id as "variantId", ${nameOfVariant} as name, variants.sku,
    products.external_id as "productExternalId", variants.external_id as "externalId", stock.quantity
  from ${tables}
  where products.connection_id = $1
    and variants.missing_at is null
    and ${isUnseen}
  order by variants.created_at, variants.id
  limit $3`

export const selectMissing = `
  ${withSeen}
  select
    products.external_id as "externalId",
    jsonb_agg(jsonb_build_object('id', variants.id, 'externalId', variants.external_id)) as variants
  from ${tables}
  where ${ofSweep}
    and ${isUnseen}
  group by products.id
  order by products.id
  limit $4`

const selectViews = `
  select
    id, connection_id as "connectionId", coalesce(outcome, 'running') as status, problem,
    phase, pages, seen, changed, missing,
    ${isoOf('started_at')} as "startedAt", ${isoOf('finished_at')} as "finishedAt"
  from inventory_sweeps`

/** SQL: the newest ended sweep of a connection, and the newest complete one. Both may be one. */
export const selectLastSweeps = `
  (${selectViews} where connection_id = $1 and outcome is not null order by started_at desc limit 1)
  union all
  (${selectViews} where connection_id = $1 and outcome = 'complete' order by started_at desc limit 1)`

export const selectSweeps = `
  ${selectViews}
  where ($1::uuid is null or connection_id = $1)
    and ($2::timestamptz is null or started_at < $2 or (started_at = $2 and id > $3))
  order by started_at desc, id
  limit $4`

export const countSweeps = 'select count(*)::integer as count from inventory_sweeps where connection_id = $1'

export const deleteSweeps = 'delete from inventory_sweeps where connection_id = $1'

/** The last ended sweep of each of the connections `$1`, where it is held. */
export const selectHeld = `
  select
    last.id, given.id as "connectionId", last.missing, ${isoOf('last.finished_at')} as since
  from unnest($1::uuid[]) as given (id)
  cross join lateral (
    select id, outcome, missing, finished_at
    from inventory_sweeps
    where connection_id = given.id and outcome is not null
    order by started_at desc
    limit 1
  ) as last
  where last.outcome = 'held'`
