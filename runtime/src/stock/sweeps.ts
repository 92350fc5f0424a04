import type { StockLevel } from '@linker/sdk'
import { markMissing } from '../catalog/store.ts'
import type { Query } from '../database/database.ts'
import { decodeCursor } from '../http/paging.ts'
import { isReadBefore, quantityRows, type StoredVersion } from './record-stock.ts'
import type { SweepQuery, SweepView } from './schemas.ts'

/** A comparison of all stock of one master connection, as its row stands. */
export interface Sweep {
  id: string
  connectionId: string
  phase: 'stock' | 'missing' | 'products'
  cursor: string | null
  acceptMissing: boolean
  steps: number
  pages: number
  seen: number
  changed: number
  missing: number
  startedAt: string
}

/** The progress of one step of a sweep. */
export interface SweepStep {
  phase: Sweep['phase']
  cursor: string | null
  pages?: number
  seen?: number
  changed?: number
  missing?: number
}

/**
 * Another run of the same job, or another job, took the sweep further. This run stores none of its
 * findings.
 */
export class SweepTakenError extends Error {}

const columns = `
  id, connection_id as "connectionId", phase, cursor, accept_missing as "acceptMissing",
  steps, pages, seen, changed, missing, started_at::text as "startedAt"`
const keptDays = 14
const isoOf = (time: string): string => `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const abandonStale = `
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

const deleteOld = `
  with old as (
    delete from inventory_sweeps
    where connection_id = $1 and finished_at < now() - interval '1 day' * ${keptDays}
  )
  delete from inventory_sweep_pages
  where sweep_id in (
    select id from inventory_sweeps
    where connection_id = $1 and finished_at is not null
  )`

const touchRunning = `
  update inventory_sweeps set adapter = $2, touched_at = now()
  where connection_id = $1 and finished_at is null
  returning ${columns}`

/**
 * Answers the running sweep of a connection, or a new one under `id`. Undefined: the sweep of that
 * id has ended. Abandons a sweep that no run touched for an hour, or whose cursor belongs to
 * another adapter version.
 */
export async function openSweep (
  query: Query,
  connectionId: string,
  id: string,
  adapter: string
): Promise<Sweep | undefined> {
  await query(abandonStale, [connectionId, adapter])
  await query(deleteOld, [connectionId])
  await query(
    'insert into inventory_sweeps (id, connection_id) values ($1, $2) on conflict do nothing',
    [id, connectionId]
  )
  const [sweep] = await query<Sweep>(touchRunning, [connectionId, adapter])
  return sweep
}

const insertAccepting = `
  insert into inventory_sweeps (id, connection_id, accept_missing)
  select $2, $1, true
  where not exists (select from inventory_sweeps where id = $2)
  on conflict (connection_id) where finished_at is null do update set accept_missing = true`

/** Lets the running sweep, or a new one, accept that many variants are missing. */
export async function acceptMissing (query: Query, connectionId: string, id: string): Promise<void> {
  await query(insertAccepting, [connectionId, id])
}

/**
 * Locks the sweep until the transaction ends, so that no other run takes it further. Throws
 * `SweepTakenError` when one has done so already.
 */
export async function holdSweep (query: Query, { id, steps }: Sweep): Promise<void> {
  const held = await query(
    'select id from inventory_sweeps where id = $1 and steps = $2 and finished_at is null for update',
    [id, steps]
  )
  if (held.length === 0) throw new SweepTakenError('another run continues this sweep')
}

const updateProgress = `
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

/**
 * Takes the sweep one step further. Call it in the transaction that stores the findings of the
 * step. Throws `SweepTakenError` when another run took the sweep further.
 */
export async function advanceSweep (query: Query, sweep: Sweep, step: SweepStep): Promise<Sweep> {
  const [advanced] = await query<Sweep>(updateProgress, [
    sweep.id,
    sweep.steps,
    step.phase,
    step.cursor,
    step.pages ?? 0,
    step.seen ?? 0,
    step.changed ?? 0,
    step.missing ?? 0
  ])
  if (advanced === undefined) throw new SweepTakenError('another run continues this sweep')
  return advanced
}

const updateFinished = `
  update inventory_sweeps set finished_at = now(), outcome = $3, problem = $4
  where id = $1 and steps = $2 and finished_at is null
  returning id`

export async function finishSweep (
  query: Query,
  sweep: Sweep,
  outcome: 'complete' | 'held' | 'abandoned',
  problem: string | null = null
): Promise<void> {
  const finished = await query(updateFinished, [sweep.id, sweep.steps, outcome, problem])
  if (finished.length === 0) throw new SweepTakenError('another run continues this sweep')
  await query('delete from inventory_sweep_pages where sweep_id = $1', [sweep.id])
}

const selectDifferences = `
  select level.id, stock.quantity as from
  from jsonb_to_recordset($1::jsonb) as level (id uuid, quantity integer)
  left join variants on variants.id = level.id
  left join stock on stock.variant_id = level.id
  where stock.variant_id is null
    or variants.missing_at is not null
    or (
      stock.quantity <> level.quantity
      and ($2::timestamptz is null or ${isReadBefore('$2')})
    )`

/**
 * Answers the levels of a page that differ from the hub's stock, or whose variant is unknown or
 * missing. `readAt`: when the hub asked for the page; stock that it asked for later is newer.
 */
export async function findDifferences (
  query: Query,
  levels: ReadonlyMap<string, StockLevel>,
  readAt: string | null
): Promise<{ id: string, from: number | null }[]> {
  return query<{ id: string, from: number | null }>(selectDifferences, [quantityRows(levels), readAt])
}

export async function markSeen (query: Query, sweep: Sweep, variantIds: readonly string[]): Promise<void> {
  if (variantIds.length === 0) return
  await query(
    'insert into inventory_sweep_pages (sweep_id, page, variant_ids) values ($1, $2, $3::uuid[])',
    [sweep.id, sweep.steps, variantIds]
  )
}

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

const countOfSweep = `${withSeen} ${selectCounts} where ${ofSweep}`

export async function countMissing (
  query: Query,
  { id, connectionId, startedAt }: Sweep
): Promise<{ known: number, missing: number }> {
  const [row] = await query<{ known: number, missing: number }>(countOfSweep, [id, connectionId, startedAt])
  return row ?? { known: 0, missing: 0 }
}

const countOfIds = `
  with seen as (select unnest($2::uuid[]) as id)
  ${selectCounts}
  where products.connection_id = $1 and variants.missing_at is null`

/** Like `countMissing`, for a preview, which stores no pages in the database. */
export async function countUnseen (
  query: Query,
  connectionId: string,
  seen: readonly string[]
): Promise<{ known: number, missing: number }> {
  const [row] = await query<{ known: number, missing: number }>(countOfIds, [connectionId, seen])
  return row ?? { known: 0, missing: 0 }
}

export interface MissingProduct {
  externalId: string
  variants: { id: string, externalId: string }[]
}

const selectMissing = `
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

/** Answers the first products with variants that the sweep did not see, at most `limit`. */
export async function listMissing (
  query: Query,
  { id, connectionId, startedAt }: Sweep,
  limit: number
): Promise<MissingProduct[]> {
  return query<MissingProduct>(selectMissing, [id, connectionId, startedAt, limit])
}

const takeUnread = `
  with left_over as (
    select variant_id
    from stock
    where variant_id = any($1::uuid[]) and read_at < $2
    order by variant_id
    for update
  )
  update stock set read_at = $2
  from left_over
  where stock.variant_id = left_over.variant_id
  returning stock.variant_id as id`

const clearStock = `
  update stock set quantity = 0, version = version + 1, updated_at = now()
  where variant_id = any($1::uuid[]) and quantity <> 0
  returning variant_id as "variantId", version`

/**
 * Sets the stock of variants to zero that the master does not have any more. Skips variants that a
 * reading after `readAt` has found. Answers the rows whose stock changed, and how many are gone.
 */
export async function markGone (
  query: Query,
  variantIds: readonly string[],
  readAt: string
): Promise<{ stored: StoredVersion[], gone: number }> {
  const gone = await query<{ id: string }>(takeUnread, [variantIds, readAt])
  const ids = gone.map(({ id }) => id)
  await markMissing(query, ids)
  const stored = await query<StoredVersion>(clearStock, [ids])
  return { stored, gone: ids.length }
}

const selectSweeps = `
  select
    id, connection_id as "connectionId", coalesce(outcome, 'running') as status, problem,
    phase, pages, seen, changed, missing,
    ${isoOf('started_at')} as "startedAt", ${isoOf('finished_at')} as "finishedAt"
  from inventory_sweeps
  where ($1::uuid is null or connection_id = $1)
    and ($2::timestamptz is null or started_at < $2 or (started_at = $2 and id > $3))
  order by started_at desc, id
  limit $4`

/** Answers sweeps, newest first. */
export async function listSweeps (query: Query, { connectionId, limit, cursor }: SweepQuery): Promise<SweepView[]> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  return query<SweepView>(selectSweeps, [connectionId ?? null, after?.createdAt ?? null, after?.id ?? null, limit])
}
