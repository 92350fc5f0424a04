import type { Order } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import type { PiecesChange } from '../stock/reserved-pieces.ts'
import { addProblem } from './problems.ts'
import type { JobRequest } from '../jobs/job.ts'
import { addHistory, lockSharers, type OrderRow } from './order-row.ts'
import { free } from './reservations.ts'
import { relate, type Purchase, type SharedLine } from './shared-lines.ts'
import { syncOrder } from './jobs.ts'
import { hasProblem, type OrderProblem } from './problem-codes.ts'

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

const lockLineIds = `
  select pg_advisory_xact_lock(key)
  from (
    select distinct hashtextextended($1::text || ' ' || line, 0) as key
    from unnest($2::text[]) as line
    order by key
  ) as keys`

/**
 * Keeps other readings of the same lines waiting until the transaction ends. Otherwise two orders
 * that are stored at once would not see each other. Call it before anything is locked.
 */
export async function lockLines (query: Query, connectionId: string, lines: Order['lines']): Promise<void> {
  await query(lockLineIds, [connectionId, lines.map(({ externalId }) => externalId)])
}

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

// A line keeps its variant, whatever became of its offer.
const copyVariants = `
  update order_lines as line set variant_id = known.variant_id
  from order_lines as known
  where line.order_id = $1
    and line.variant_id is null
    and known.order_id = any($2::uuid[])
    and known.external_id = line.external_id`

const cancelReplaced = `
  update orders set
    status = 'cancelled',
    source_status = 'gone',
    problems = '[]',
    cancelled_at = now(),
    updated_at = now()
  where id = any($1::uuid[])`

/**
 * Puts an order, whose lines are stored, in the place of others. Answers the pieces that the others
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
  await query(copyVariants, [id, ids])
  await query(cancelReplaced, [ids])
  for (const sharer of replaced) await addHistory(query, sharer.id, replacedEvent, { by: externalId })
  await addHistory(query, id, 'replaces other orders', { orders: replaced.map(sharer => sharer.externalId) })
  return (await free(query, ids)).map(({ variantId, quantity }) => ({ variantId, by: -quantity }))
}

/** The history entry of an order that another order replaces. */
export const replacedEvent = 'replaced by another order'

/** Notes a dispute on the other orders, too. Answers jobs that read doubtful orders again, once. */
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
