import type { Order } from '@linker/sdk'
import { parse, v5 } from 'uuid'
import type { OpenConnection } from '../connections/open-connection.ts'
import type { Query, Transaction } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { JobRequest } from '../jobs/job.ts'
import type { PiecesChange } from '../stock/reserved-pieces.ts'
import { elsewhereAtShop, isFulfilledElsewhere, isWithShop } from './handled-elsewhere.ts'
import { replacedEvent } from './history-events.ts'
import { storeLines, unmappedProblems } from './lines/order-lines.ts'
import { findShared, mayBeAtShop, nothingShared, takeOver, tellSharers, type Shared } from './lines/replacements.ts'
import { release, reserve, rewriteOffers } from './lines/reservations.ts'
import { areMapped, lockLines } from './lines/store.ts'
import { orderWithoutBuyer } from './personal-data/without-buyer.ts'
import {
  isAboutChanges,
  isAboutTwoWarehouses,
  isAboutUnknown,
  withoutRepeats,
  type OrderProblem
} from './problem-codes.ts'
import { shipmentCancelJobs } from './shipments/shipments.ts'
import { noteChanges, readChanges, type ReadChanges } from './shop/changed-order.ts'
import { attemptOf, cancelJobs, creationJob } from './shop/creation-jobs.ts'
import { isEnded, isReserving, nextStatus, type OrderStatus, type SourceStatus } from './status.ts'
import { addHistory, insertOrder, lockOrder, readIdentity, takeOrders, writeReading, type OrderRow } from './store.ts'

const namespace = parse('2b8f0f0c-53a4-5a44-8c32-5f5b8f1d6a77')

/**
 * The id of an order of a marketplace, the same at every reading. `scope` is what knows the order:
 * the account, by its platform and id, or a connection whose account nobody can name.
 */
export function orderIdOf (
  scope: string | readonly [platformType: string, accountId: string],
  externalId: string
): string {
  return v5(JSON.stringify([...[scope].flat(), externalId]), namespace)
}

interface Identity {
  id: string
  /** Another connection to the account had the order so far. */
  former: { id: string, name: string } | undefined
  /** When the connection begins, ISO 8601. Null: it takes all orders. */
  ordersSince: string | null
}

/** Finds an order by the account of its connection, or makes the id of a new one. */
async function identify (query: Query, connectionId: string, externalId: string): Promise<Identity> {
  const found = await readIdentity(query, connectionId, externalId)
  const { id, platformType, accountId, holderId, holderName, ordersSince } = found
  return {
    id: id ?? orderIdOf(accountId === null ? connectionId : [platformType, accountId], externalId),
    former: holderId === null || holderId === connectionId ? undefined : { id: holderId, name: holderName ?? '' },
    ordersSince
  }
}

/** Returns the id of an order, known or new. */
export async function findOrderId (query: Query, connectionId: string, externalId: string): Promise<string> {
  return (await identify(query, connectionId, externalId)).id
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
  /** The adapter that read the order, as `key@version`. */
  readBy?: string
  requestId?: string | undefined
}

/** Returns how the orders of a connection have to be read. */
export function readingOptions ({ adapter }: Pick<OpenConnection, 'adapter'>, requestId?: string): ReadingOptions {
  const { description, manifest, version } = adapter
  return {
    keepsLineIds: description.orders?.keepsLineIds === true,
    readBy: `${manifest.adapterKey}@${version}`,
    requestId
  }
}

/**
 * Stores an order as its marketplace shows it now. Each order has one row, however often it is
 * read. Returns the jobs that follow from the change.
 */
export async function ingestOrder (
  transaction: Transaction,
  connectionId: string,
  given: Order,
  { keepsLineIds = false, readBy, requestId }: ReadingOptions = {}
): Promise<Ingested> {
  const { query } = transaction
  const order = JSON.parse(toStorableJson(given)) as Order
  const { id, former, ordersSince } = await identify(query, connectionId, order.externalId)
  if (keepsLineIds) await lockLines(query, connectionId, order.lines)
  const isNew = await insertOrder(query, id, connectionId, order)
  if (former !== undefined) await takeOrders(query, former, connectionId, [id])
  const known = await lockOrder(query, id)
  if (known === undefined) throw new Error(`order ${id} was not stored`)
  const isAtDestination = known.destinationExternalId !== null
  const shared = keepsLineIds ? await findShared(query, known, order) : nothingShared
  const changes = await storeLines(query, { id, connectionId, isAtDestination }, order)
  changes.push(...await takeOver(query, known, shared.replaced))
  const before = isNew ? undefined : { status: known.status, isAtDestination, sourceStatus: known.sourceStatus }
  const isLeft = isNew || known.status === 'elsewhere' || (former !== undefined && !isAtDestination)
  const isElsewhere = isFulfilledElsewhere(order) || (isLeft && isPlacedBefore(order, ordersSince))
  const wanted = nextStatus(before, order.status, await areMapped(query, id), isElsewhere)
  const decision = decide(wanted, known, order, shared)
  const { status } = decision
  const changed = isAtDestination
    ? readChanges(known, order, { status, readBy: readBy ?? null }, requestId)
    : { handedOn: known.handedOn, problems: [], news: [], jobs: [] }
  await storeReading(query, { known, isNew, order, readBy: readBy ?? null, decision, shared, ordersSince, changed })
  const reading = { known, isNew, status, isAtDestination, order, changes }
  const jobs = shared.replacedBy === undefined
    ? await followUps(transaction, reading, requestId)
    // The pieces stay sold, so its offers are not written again.
    : await release(transaction, id, { changes, requestId })
  const told = await tellSharers(query, known, shared, requestId)
  return { orderId: id, status, isNew, jobs: [...jobs, ...changed.jobs, ...told] }
}

function isPlacedBefore ({ placedAt }: Order, ordersSince: string | null): boolean {
  return ordersSince !== null && Date.parse(placedAt) < Date.parse(ordersSince)
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
  readBy: string | null
  decision: Decision
  shared: Shared
  ordersSince: string | null
  changed: ReadChanges
}

/** Writes the order and the decision to its row, and to the history. */
async function storeReading (
  query: Query,
  { known, isNew, order, readBy, decision, shared, ordersSince, changed }: Stored
): Promise<void> {
  const { id } = known
  const { status, sourceStatus, rival } = decision
  const { upstreamStatus, revision, fulfilment } = order
  const problems = withoutRepeats([
    ...status === 'elsewhere'
      ? elsewhereProblems(order, ordersSince)
      : await ownProblems(query, known, isNew, status),
    ...isEnded(status) && status !== 'shipped' && status !== 'delivered' ? [] : elsewhereAtShop(known, order),
    ...changed.problems,
    ...rival === undefined ? [] : [heldBack(id, rival)],
    ...shared.disputed.map(({ problem }) => problem)
  ])
  // An order that was cancelled may come back: then the shop needs the address.
  const personalDataRemovedAt = isEnded(status) ? known.personalDataRemovedAt : null
  const kept = personalDataRemovedAt === null ? order : orderWithoutBuyer(order)
  const { handedOn } = changed
  await writeReading(query, id, kept, { status, sourceStatus, problems, personalDataRemovedAt, readBy, handedOn })
  if (isNew || known.revision !== revision || known.status !== status) {
    const said = { status, sourceStatus: order.status, upstreamStatus, revision, fulfilment }
    await addHistory(query, id, isNew ? 'ingested' : 'read', said)
  }
  await noteChanges(query, id, changed)
  const { replacedBy } = shared
  if (replacedBy !== undefined && known.status !== status) {
    await addHistory(query, id, replacedEvent, { by: replacedBy.externalId })
  }
}

/** Each reading says anew whether an order has these problems. */
const settledByReading = [isAboutUnknown, isAboutChanges, isAboutTwoWarehouses]

/** Returns the problems of an order that do not come from other orders. */
async function ownProblems (
  query: Query,
  known: OrderRow,
  isNew: boolean,
  status: OrderStatus
): Promise<OrderProblem[]> {
  if (status === 'awaiting_mapping') return unmappedProblems(query, known.id)
  return isNew || known.status === 'awaiting_mapping' || status !== known.status
    ? []
    : known.problems.filter(problem => !settledByReading.some(isAbout => isAbout(problem)))
}

function heldBack (id: string, { externalId }: OrderRow): OrderProblem {
  const why = `the hub does not create it in the shop, which has or may have order '${externalId}'`
  return { code: 'held-back', detail: `${why}. POST /orders/${id}/retry creates it anyway` }
}

/** An order that a warehouse of the marketplace ships has none: nobody has to do anything. */
function elsewhereProblems (order: Order, ordersSince: string | null): OrderProblem[] {
  return isFulfilledElsewhere(order) ? [] : [placedBefore(order, ordersSince)]
}

function placedBefore ({ placedAt }: Order, ordersSince: string | null): OrderProblem {
  const began = `before this connection began at ${ordersSince ?? ''}`
  const detail = `it was placed at ${placedAt}, ${began}, so the hub does not create it in the shop. If the shop ` +
    'lacks it, retry it, or sweep the orders since a time before it'
  return { code: 'placed-before', detail }
}

interface Reading {
  known: OrderRow
  isNew: boolean
  status: OrderStatus
  isAtDestination: boolean
  order: Order
  changes: readonly PiecesChange[]
}

async function followUps (
  transaction: Transaction,
  { known, isNew, status, isAtDestination, order, changes }: Reading,
  requestId: string | undefined
): Promise<JobRequest[]> {
  const { query } = transaction
  const { id } = known
  const hasChanged = isNew || known.status !== status
  const isReleased = known.isReleased && known.status === 'failed' && status === 'failed'
  const reserving = { changes, requestId }
  // The pieces that the shop's order lacks stay reserved, too.
  const isKeeping = isAtDestination ? status === 'created' : isReserving(status, false)
  const stock = isKeeping && !isReleased
    ? await reserve(transaction, id, reserving)
    : await release(transaction, id, reserving)
  const isElsewhere = isFulfilledElsewhere(order)
  // An attempt may have made it in the shop: look.
  const search = hasChanged && status === 'elsewhere' && isElsewhere && isWithShop(known)
    ? await cancelJobs(query, known, requestId, 'elsewhere')
    : []
  const cancelled = hasChanged && status === 'cancelled' && (!isElsewhere || isWithShop(known))
    ? [
      ...await rewriteOffers(transaction, id, requestId),
      ...await shipmentCancelJobs(query, id, requestId),
      ...await cancelJobs(query, known, requestId)
    ]
    : []
  // Also do this when the order is unchanged: an older process may have lost the job, and the same
  // key makes no second one.
  const creation = status === 'ready'
    ? await creationJob(query, id, await attemptOf(query, id, order.revision), requestId)
    : []
  return [...stock, ...search, ...cancelled, ...creation]
}
