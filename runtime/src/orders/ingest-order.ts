import type { Order } from '@linker/sdk'
import type { PiecesChange } from '../stock/reserved-pieces.ts'
import { parse, v5 } from 'uuid'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Query, Transaction } from '../database/database.ts'
import { shipmentCancelJobs } from './shipments.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRequest } from '../jobs/job.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { addHistory, goneEvent, lockOrder, type OrderRow } from './order-row.ts'
import {
  findShared,
  lockLines,
  mayBeAtShop,
  nothingShared,
  replacedEvent,
  takeOver,
  tellSharers,
  type Shared
} from './replacements.ts'
import { release, reserve, rewriteOffers } from './reservations.ts'
import { isReserving, nextStatus, type OrderStatus, type SourceStatus } from './status.ts'
import { cancelOrderAtShop, createOrderAtShop, syncOrder } from './jobs.ts'
import { withoutRepeats, type OrderProblem } from './problem-codes.ts'

const namespace = parse('2b8f0f0c-53a4-5a44-8c32-5f5b8f1d6a77')

/** The id of an order of a marketplace, the same at every reading. */
export function orderIdOf (connectionId: string, externalId: string): string {
  return v5(JSON.stringify([connectionId, externalId]), namespace)
}

export interface Ingested {
  orderId: string
  status: OrderStatus
  isNew: boolean
  jobs: JobRequest[]
}

export interface ReadingOptions {
  /** Whether the marketplace may replace orders by one that keeps the ids of their lines. */
  keepsLineIds?: boolean
  requestId?: string | undefined
}

/** Answers how the orders of a connection have to be read. */
export function readingOptions ({ adapter }: Pick<OpenConnection, 'adapter'>, requestId?: string): ReadingOptions {
  return { keepsLineIds: adapter.description.orders?.keepsLineIds === true, requestId }
}

/**
 * Stores an order as its marketplace shows it now. Each order has one row, however often it is
 * read. Answers the jobs that follow from the change.
 */
export async function ingestOrder (
  transaction: Transaction,
  connectionId: string,
  given: Order,
  { keepsLineIds = false, requestId }: ReadingOptions = {}
): Promise<Ingested> {
  const { query } = transaction
  const order = JSON.parse(toStorableJson(given)) as Order
  const id = orderIdOf(connectionId, order.externalId)
  if (keepsLineIds) await lockLines(query, connectionId, order.lines)
  const isNew = await insertOrder(query, id, connectionId, order)
  const known = await lockOrder(query, id)
  if (known === undefined) throw new Error(`order ${id} was not stored`)
  const isAtDestination = known.destinationExternalId !== null
  const shared = keepsLineIds ? await findShared(query, known, order) : nothingShared
  const changes = await storeLines(query, { id, connectionId, isAtDestination }, order)
  changes.push(...await takeOver(query, known, shared.replaced))
  const before = isNew ? undefined : { status: known.status, isAtDestination, sourceStatus: known.sourceStatus }
  const decision = decide(nextStatus(before, order.status, await areMapped(query, id)), known, order, shared)
  await storeReading(query, { known, isNew, order, decision, shared })
  const { status } = decision
  const reading = { known, isNew, status, isAtDestination, revision: order.revision, changes }
  const jobs = shared.replacedBy === undefined
    ? await followUps(transaction, reading, requestId)
    // The pieces stay sold, so its offers are not written again.
    : await release(transaction, id, { changes, requestId })
  return { orderId: id, status, isNew, jobs: [...jobs, ...await tellSharers(query, known, shared, requestId)] }
}

interface Decision {
  status: OrderStatus
  sourceStatus: SourceStatus
  rival?: OrderRow
}

/**
 * Decides the status of an order. Other orders with its lines may replace it or hold it back, so
 * that the same pieces are never sent twice.
 */
function decide (wanted: OrderStatus, known: OrderRow, order: Order, { replacedBy, disputed }: Shared): Decision {
  if (replacedBy !== undefined) return { status: 'cancelled', sourceStatus: 'gone' }
  const rival = disputed.find(({ sharer }) => mayBeAtShop(sharer))?.sharer
  const sourceStatus = order.status
  // A ready order stays ready: somebody has decided for it already.
  const isHeldBack = rival !== undefined && wanted === 'ready' && known.status !== 'ready'
  return isHeldBack ? { status: 'failed', sourceStatus, rival } : { status: wanted, sourceStatus }
}

interface Stored {
  known: OrderRow
  isNew: boolean
  order: Order
  decision: Decision
  shared: Shared
}

const updateRead = `
  update orders set
    status = $2,
    source_status = $3,
    upstream_status = $4,
    revision = $5,
    snapshot = $6,
    problems = $7,
    updated_at = now(),
    cancelled_at = case when $2 = 'cancelled' then coalesce(cancelled_at, now()) end,
    is_released = is_released and status = 'failed' and $2 = 'failed'
  where id = $1`

/** Writes the order and the decision to its row, and to the history. */
async function storeReading (query: Query, { known, isNew, order, decision, shared }: Stored): Promise<void> {
  const { id } = known
  const { status, sourceStatus, rival } = decision
  const { upstreamStatus, revision } = order
  const problems = withoutRepeats([
    ...await ownProblems(query, known, isNew, status),
    ...rival === undefined ? [] : [heldBack(id, rival)],
    ...shared.disputed.map(({ problem }) => problem)
  ])
  await query(updateRead, [
    id,
    status,
    sourceStatus,
    upstreamStatus ?? null,
    revision,
    JSON.stringify(order),
    JSON.stringify(problems)
  ])
  if (isNew || known.revision !== revision || known.status !== status) {
    const said = { status, sourceStatus: order.status, upstreamStatus, revision }
    await addHistory(query, id, isNew ? 'ingested' : 'read', said)
  }
  const { replacedBy } = shared
  if (replacedBy !== undefined && known.status !== status) {
    await addHistory(query, id, replacedEvent, { by: replacedBy.externalId })
  }
}

/** Answers the problems of an order that do not come from other orders. */
async function ownProblems (
  query: Query,
  known: OrderRow,
  isNew: boolean,
  status: OrderStatus
): Promise<OrderProblem[]> {
  if (status === 'awaiting_mapping') return unmappedProblems(query, known.id)
  return isNew || known.status === 'awaiting_mapping' || status !== known.status ? [] : known.problems
}

function heldBack (id: string, { externalId }: OrderRow): OrderProblem {
  const why = `it is not made in the shop, which has order '${externalId}' or may have it`
  return { code: 'held-back', detail: `${why}: POST /orders/${id}/retry makes it all the same` }
}

const insertNew = `
  insert into orders (
    id, connection_id, external_id, status, source_status, revision, snapshot, placed_at,
    created_at, updated_at
  )
  values (
    $1, $2, $3, 'pending', $4, $5, $6, $7,
    date_trunc('milliseconds', now()), now()
  )
  on conflict do nothing
  returning id`

async function insertOrder (query: Query, id: string, connectionId: string, order: Order): Promise<boolean> {
  const { externalId, status, revision, placedAt } = order
  const inserted = await query(
    insertNew,
    [id, connectionId, externalId, status, revision, JSON.stringify(order), placedAt]
  )
  return inserted.length > 0
}

const linesInJson =
  'jsonb_to_recordset($2::jsonb) as line ("externalId" text, "offerExternalId" text, quantity integer)'

const upsertLines = `
  insert into order_lines (order_id, external_id, offer_external_id, quantity)
  select $1, "externalId", "offerExternalId", quantity
  from ${linesInJson}
  on conflict (order_id, external_id) do update set
    offer_external_id = excluded.offer_external_id,
    quantity = excluded.quantity`

const mapLines = `
  update order_lines set variant_id = offers.variant_id
  from offers
  where order_lines.order_id = $1
    and order_lines.variant_id is null
    and offers.connection_id = $2
    and offers.external_id = order_lines.offer_external_id`

/**
 * Stores the lines with the variants that their offers sell. A line keeps its variant unless it
 * names another offer now. Until the shop has the order, removes lines that the marketplace
 * removed. Answers the changes of the reserved pieces.
 */
async function storeLines (
  query: Query,
  { id, connectionId, isAtDestination }: { id: string, connectionId: string, isAtDestination: boolean },
  { lines }: Order
): Promise<PiecesChange[]> {
  const distinct = new Map(lines.map(line => [line.externalId, line]))
  const rows = JSON.stringify(Array.from(
    distinct.values(),
    ({ externalId, offerExternalId, quantity }) => ({ externalId, offerExternalId, quantity })
  ))
  const changes = isAtDestination ? [] : await changeLines(query, id, rows)
  await query(upsertLines, [id, rows])
  await query(mapLines, [id, connectionId])
  return changes
}

const removeLines = `
  with removed as (
    delete from order_lines as known
    where order_id = $1
      and not exists (
        select from ${linesInJson}
        where "externalId" = known.external_id
          and coalesce("offerExternalId", known.offer_external_id) is not distinct from known.offer_external_id
      )
    returning variant_id, quantity, is_reserved
  )
  select variant_id as "variantId", -quantity as by
  from removed
  where is_reserved`

const updateReserved = `
  update order_lines set quantity = line.quantity
  from ${linesInJson}, order_lines as known
  where order_lines.order_id = $1
    and order_lines.is_reserved
    and order_lines.quantity <> line.quantity
    and order_lines.external_id = "externalId"
    and known.order_id = order_lines.order_id
    and known.external_id = order_lines.external_id
  returning order_lines.variant_id as "variantId", line.quantity - known.quantity as by`

/**
 * Removes lines that the marketplace removed or that name another offer now, and updates the
 * quantities of reserved lines. Answers the changes of the reserved pieces.
 */
async function changeLines (query: Query, orderId: string, rows: string): Promise<PiecesChange[]> {
  const removed = await query<PiecesChange>(removeLines, [orderId, rows])
  const changed = await query<PiecesChange>(updateReserved, [orderId, rows])
  return [...removed, ...changed]
}

async function areMapped (query: Query, orderId: string): Promise<boolean> {
  const unmapped = await query(
    'select external_id from order_lines where order_id = $1 and variant_id is null limit 1',
    [orderId]
  )
  return unmapped.length === 0
}

const selectUnmapped = `
  select external_id as "externalId", offer_external_id as offer
  from order_lines
  where order_id = $1 and variant_id is null
  order by external_id
  limit 20`

async function unmappedProblems (query: Query, orderId: string): Promise<OrderProblem[]> {
  const lines = await query<{ externalId: string, offer: string | null }>(selectUnmapped, [orderId])
  return lines.map(({ externalId, offer }) => ({
    code: 'unmapped',
    detail: offer === null
      ? `line ${externalId} names no offer`
      : `no variant is linked to offer '${offer}' (line ${externalId}): POST /offers/link`
  }))
}

interface Reading {
  known: OrderRow
  isNew: boolean
  status: OrderStatus
  isAtDestination: boolean
  revision: string
  changes: readonly PiecesChange[]
}

async function followUps (
  transaction: Transaction,
  { known, isNew, status, isAtDestination, revision, changes }: Reading,
  requestId: string | undefined
): Promise<JobRequest[]> {
  const { query } = transaction
  const { id } = known
  const hasChanged = isNew || known.status !== status
  const isReleased = known.isReleased && known.status === 'failed' && status === 'failed'
  const reserving = { changes, requestId }
  const stock = isReserving(status, isAtDestination) && !isReleased
    ? await reserve(transaction, id, reserving)
    : await release(transaction, id, reserving)
  const cancelled = hasChanged && status === 'cancelled'
    ? [
      ...await rewriteOffers(transaction, id, requestId),
      ...await shipmentCancelJobs(query, id, requestId),
      ...cancelJobs(known, requestId)
    ]
    : []
  // Also do this when the order is unchanged: an older process may have lost the job, and the same
  // key makes no second one.
  const creation = status === 'ready'
    ? await creationJob(query, id, await attemptOf(query, id, revision), requestId)
    : []
  return [...stock, ...cancelled, ...creation]
}

/**
 * Answers the name of the creation job's attempt. A job that found the order not ready has ended
 * and made nothing. An order needs another job when it was paid, then unpaid, then paid again, and
 * when it was gone and came back unchanged. A job that has not ended will make the order: a second
 * one beside it might make it twice.
 */
async function attemptOf (query: Query, orderId: string, revision: string): Promise<string> {
  if (!await hasEnded(query, orderId, 'first')) return 'first'
  const again = `again-${revision}`
  const [loss] = await query<{ id: string }>(
    'select id from order_history where order_id = $1 and event = $2 order by id desc limit 1',
    [orderId, goneEvent]
  )
  return loss !== undefined && await hasEnded(query, orderId, again) ? `${again}-back-${loss.id}` : again
}

async function hasEnded (query: Query, orderId: string, attempt: string): Promise<boolean> {
  const ended = await query('select id from jobs where id = $1 and finished_at is not null', [
    jobIdOf(creationKey(orderId, attempt))
  ])
  return ended.length > 0
}

function creationKey (orderId: string, attempt: string): string {
  return `order-create:${orderId}:${attempt}`
}

const selectMasters = `
  select distinct connections.id, connections.capabilities, connections.id = orders.connection_id as "isSource"
  from orders
  join order_lines as line on line.order_id = orders.id
  join variants on variants.id = line.variant_id
  join products on products.id = variants.product_id
  join connections on connections.id = products.connection_id
  where orders.id = $1`

/**
 * Answers the job that makes the order in the shop that masters its variants. Without such a shop,
 * answers no job and notes a problem.
 */
export async function creationJob (
  query: Query,
  orderId: string,
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const masters = await query<Master>(selectMasters, [orderId])
  const [master] = masters
  const problem = masters.length > 1 ? 'its lines belong to several shops' : problemOf(master)
  if (problem !== undefined || master === undefined) {
    const noted: OrderProblem = { code: 'not-created', detail: problem ?? 'it has no lines' }
    const problems = JSON.stringify([noted])
    await query("update orders set status = 'failed', problems = $2 where id = $1", [orderId, problems])
    await addHistory(query, orderId, 'failed', { problem })
    return []
  }
  await query('update orders set destination_connection_id = $2 where id = $1', [orderId, master.id])
  return [createOrderAtShop.request({ orderId }, {
    connectionId: master.id,
    key: creationKey(orderId, attempt),
    requestId
  })]
}

interface Master {
  id: string
  capabilities: string[]
  isSource: boolean
}

/**
 * Answers why a shop does not get an order, if it does not. A marketplace that masters variants has
 * its own orders already.
 */
function problemOf (master: Master | undefined): string | undefined {
  if (master?.isSource === true) return 'the marketplace itself masters its variants: there is no shop to make it in'
  return master?.capabilities.includes('OrderProcessorManager') === true
    ? undefined
    : 'the shop of its variants takes no orders (capability OrderProcessorManager)'
}

/**
 * Answers the jobs that cancel the order in the shop. When the answer to an attempt was lost, the
 * creation job looks for the order there; it makes no order that is cancelled.
 */
export function cancelJobs (
  order: Pick<OrderRow, 'id' | 'destinationConnectionId' | 'destinationExternalId' | 'creationBegunAt'>,
  requestId?: string
): JobRequest[] {
  if (order.destinationExternalId !== null) return [cancelJob(order, requestId)]
  if (order.creationBegunAt === null) return []
  return [createOrderAtShop.request({ orderId: order.id }, {
    connectionId: order.destinationConnectionId,
    key: creationKey(order.id, 'cancelled'),
    requestId
  })]
}

/** The job that cancels the order in the shop. */
export function cancelJob (
  { id, destinationConnectionId }: Pick<OrderRow, 'id' | 'destinationConnectionId'>,
  requestId?: string
): JobRequest {
  return cancelOrderAtShop.request({ orderId: id }, {
    connectionId: destinationConnectionId,
    key: `order-cancel:${id}`,
    requestId
  })
}

const selectMappable = `
  select distinct orders.external_id as "externalId"
  from orders
  join order_lines as line on line.order_id = orders.id and line.variant_id is null
  where orders.connection_id = $1
    and orders.status = 'awaiting_mapping'
    and ($2::text is null or line.offer_external_id = $2)
    and exists (
      select from offers
      where offers.connection_id = $1 and offers.external_id = line.offer_external_id
    )
  limit 100`

/**
 * Answers the jobs that read orders again which wait for a variant: one of their offers has been
 * linked since.
 */
export async function remapJobs (
  query: Query,
  of: { connectionId: string, offerExternalId?: string },
  attempt: string,
  requestId?: string
): Promise<JobRequest[]> {
  const orders = await query<{ externalId: string }>(selectMappable, [of.connectionId, of.offerExternalId ?? null])
  const { connectionId } = of
  return orders.map(({ externalId }) =>
    syncOrder.request({ externalId }, {
      connectionId,
      key: `order-remap:${connectionId}:${externalId}:${attempt}`,
      requestId
    })
  )
}
