import type { Order } from '@linker/sdk'
import type { Query } from '../../database/database.ts'
import type { JobRequest } from '../../jobs/job.ts'
import type { PiecesChange } from '../../stock/reserved-pieces.ts'
import { replacedEvent } from '../history-events.ts'
import { syncOrder } from '../jobs.ts'
import { hasProblem, type OrderProblem } from '../problem-codes.ts'
import { addProblem } from '../problems.ts'
import { addHistory, lockOrdersWithLines, markReplaced, type OrderRow } from '../store.ts'
import { relate, type Purchase, type SharedLine } from './shared-lines.ts'
import { copyVariants, freeLines, readLinesOf } from './store.ts'

/** An order of the same marketplace that has a line of the one that is read. */
export type Sharer = OrderRow & { lines: SharedLine[] }

/** How other orders relate to an order that has lines of them. */
export interface Shared {
  /** Orders that the order replaces. */
  replaced: readonly Sharer[]
  /** The order that replaces it. */
  replacedBy?: Sharer
  /** Orders on which a person must decide. */
  disputed: readonly { sharer: Sharer, problem: OrderProblem }[]
  /** Orders that the marketplace may not have any more. */
  doubtful: readonly Sharer[]
}

export const nothingShared: Shared = { replaced: [], disputed: [], doubtful: [] }

/** Finds and locks the orders that share lines with `order`. `known`: its own row, locked. */
export async function findShared (query: Query, known: OrderRow, order: Order): Promise<Shared> {
  const sharers = await lockSharers(query, known, order.lines.map(({ externalId }) => externalId))
  // An order that is over replaces no other, but the hub may still store orders that it replaced.
  if (order.status === 'cancelled' || order.status === 'returned' || isOver(known)) {
    return { ...nothingShared, doubtful: sharers }
  }
  const own = purchaseOf({ ...known, sourceStatus: order.status }, order.lines)
  const found = sharers.map(sharer => ({ sharer, relation: relate(own, purchaseOf(sharer, sharer.lines)) }))
  const replacedBy = found.find(({ relation }) => relation === 'replaced')?.sharer
  if (replacedBy !== undefined) return { ...nothingShared, replacedBy }
  const disputed = found.flatMap(({ sharer, relation }) => {
    if (typeof relation === 'string') return []
    const problem: OrderProblem = { code: 'shared-lines', detail: relation.problem }
    return [{ sharer, problem }]
  })
  return {
    replaced: found.flatMap(({ sharer, relation }) => relation === 'replaces' ? [sharer] : []),
    disputed,
    doubtful: disputed.map(({ sharer }) => sharer)
  }
}

/** Returns and locks the other orders of the marketplace that have one of these lines. */
async function lockSharers (query: Query, known: OrderRow, lineIds: readonly string[]): Promise<Sharer[]> {
  const rows = await lockOrdersWithLines(query, known, lineIds)
  if (rows.length === 0) return []
  // Read the lines after the lock: another reading may just have changed them.
  const ofOrder = await readLinesOf(query, rows.map(({ id }) => id))
  const wanted = new Set(lineIds)
  return rows
    .map(row => ({ ...row, lines: ofOrder.get(row.id) ?? [] }))
    .filter(row => row.lines.some(line => wanted.has(line.externalId)))
}

/** Whether an order is cancelled or returned for good. */
function isOver ({ status, sourceStatus }: OrderRow): boolean {
  return status === 'returned' || (status === 'cancelled' && sourceStatus !== 'gone')
}

function purchaseOf (row: OrderRow, lines: readonly SharedLine[]): Purchase {
  const { externalId, status, sourceStatus } = row
  const isPaid = sourceStatus !== 'pending'
  const isUntouched = status === 'pending' || status === 'awaiting_mapping' || status === 'cancelled'
  return { externalId, isPaid, isOpen: !isPaid && isUntouched && !wasBegun(row), mayBeAtShop: mayBeAtShop(row), lines }
}

/** Whether a shop has an order, may have it, or is about to get it. */
export function mayBeAtShop (row: OrderRow): boolean {
  return wasBegun(row) || ['ready', 'created', 'shipped', 'delivered'].includes(row.status)
}

function wasBegun ({ destinationExternalId, creationBegunAt }: OrderRow): boolean {
  return destinationExternalId !== null || creationBegunAt !== null
}

/**
 * Puts an order, whose lines are stored, in the place of others. Returns the pieces that the others
 * give back. The caller writes them together with the new order's pieces, so that no marketplace
 * offers them in between.
 */
export async function takeOver (
  query: Query,
  { id, externalId }: OrderRow,
  replaced: readonly Sharer[]
): Promise<PiecesChange[]> {
  if (replaced.length === 0) return []
  const ids = replaced.map(sharer => sharer.id)
  await copyVariants(query, id, ids)
  await markReplaced(query, ids)
  for (const sharer of replaced) await addHistory(query, sharer.id, replacedEvent, { by: externalId })
  await addHistory(query, id, 'replaces other orders', { orders: replaced.map(sharer => sharer.externalId) })
  return (await freeLines(query, ids)).map(({ variantId, quantity }) => ({ variantId, by: -quantity }))
}

/** Notes a dispute on the other orders, too. Returns jobs that read doubtful orders again, once. */
export async function tellSharers (
  query: Query,
  { id }: OrderRow,
  { disputed, doubtful }: Shared,
  requestId?: string
): Promise<JobRequest[]> {
  for (const { sharer, problem } of disputed) {
    if (!hasProblem(sharer.problems, problem)) await addProblem(query, sharer.id, problem)
  }
  return doubtful.map(sharer =>
    syncOrder.request({ externalId: sharer.externalId }, {
      connectionId: sharer.connectionId,
      key: `order-shared:${sharer.id}:${id}`,
      requestId
    })
  )
}
