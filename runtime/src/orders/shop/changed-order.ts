import type { Order, OrderChanges } from '@linker/sdk'
import { isDeepStrictEqual } from 'node:util'
import type { Query } from '../../database/database.ts'
import type { JobRequest } from '../../jobs/job.ts'
import { changedEvent, updatedEvent } from '../history-events.ts'
import { updateOrderAtShop } from '../jobs.ts'
import { endMissingPieces } from '../lines/reservations.ts'
import { isAboutChanges, type OrderProblem } from '../problem-codes.ts'
import { addProblem } from '../problems.ts'
import { addHistory, lockOrder, removeProblems, type OrderRow } from '../store.ts'
import { describeChanges, toldChanges, type NotApplied } from './change-words.ts'
import { changesBetween, hasChanges, namesOf, withMembers, type ChangeName } from './differences.ts'
import { shownChanges } from './shown-changes.ts'
import { writeHandedOn } from './store.ts'

// What follows when the marketplace changes an order that its shop has:
//
//     reading ──another than the shop got──▶ job ──▶ the shop's order is changed
//        │                                    └──rest──▶ problem ──▶ the shop shows it, or settled
//        └──the shop shipped or cancelled it──▶ problem

/** Returns how an order differs from what its shop has of it. */
export function openChanges ({ handedOn, snapshot }: Pick<OrderRow, 'handedOn' | 'snapshot'>): OrderChanges {
  return handedOn === null ? {} : changesBetween(handedOn, snapshot)
}

/** The changes that a reading of the marketplace brings to an order that the shop has. */
export interface ReadChanges {
  /** What the shop has of the order; null: it has what the marketplace says now. */
  handedOn: Order | null
  /** The problem of an order that the shop cannot change any more, or that of earlier changes. */
  problems: OrderProblem[]
  /** The names of changes that are new. */
  news: ChangeName[]
  jobs: JobRequest[]
}

/**
 * Compares a reading with what the shop got. Another form of the same revision is no change: an
 * adapter may have learnt to read more. So the first reading of another version brings no change,
 * either, unless changes are on their way.
 */
export function readChanges (
  known: OrderRow,
  order: Order,
  { status, readBy }: Pick<OrderRow, 'status' | 'readBy'>,
  requestId: string | undefined
): ReadChanges {
  const isOver = status === 'cancelled' || status === 'returned' || known.personalDataRemovedAt !== null
  const isSame = known.handedOn === null && (known.revision === order.revision || known.readBy !== readBy)
  const handedOn = known.handedOn ?? known.snapshot
  const changes = isOver || isSame ? {} : changesBetween(handedOn, order)
  if (!hasChanges(changes)) return { handedOn: null, problems: [], news: [], jobs: [] }
  const open = openChanges(known)
  const isAsBefore = isDeepStrictEqual(changes, open)
  const news = namesOf(changes).filter(name => !isDeepStrictEqual(changes[name], open[name]))
  const reason = whyClosed({ ...known, status })
  if (reason !== undefined) {
    return { handedOn, problems: [changeProblem(known.id, changes, forAll(changes, reason))], news, jobs: [] }
  }
  const jobs = isAsBefore ? [] : [updateJob({ ...known, revision: order.revision }, requestId)]
  return { handedOn, problems: known.problems.filter(isAboutChanges), news, jobs }
}

/** Writes to the history that the marketplace changed an order after the shop got it. */
export async function noteChanges (query: Query, orderId: string, { news, problems }: ReadChanges): Promise<void> {
  if (news.length === 0) return
  await addHistory(query, orderId, changedEvent, { changes: news })
  for (const { detail } of problems) await addHistory(query, orderId, 'problem', { problem: detail })
}

/** Why the hub does not change the shop's order any more; undefined while it does. */
export function whyClosed ({ status, destinationStatus }: Pick<OrderRow, 'status' | 'destinationStatus'>):
  | string
  | undefined
{
  const atShop = destinationStatus ?? 'processing'
  const closed = [status, atShop].find(one => ['shipped', 'delivered', 'cancelled', 'returned'].includes(one))
  return closed === undefined ? undefined : `the order is ${closed}`
}

/**
 * The job that changes the order in the shop, one for each revision. It makes all changes that
 * there are when it runs.
 */
export function updateJob (
  { id, revision, destinationConnectionId }: Pick<OrderRow, 'id' | 'revision' | 'destinationConnectionId'>,
  requestId?: string
): JobRequest {
  return updateOrderAtShop.request({ orderId: id }, {
    connectionId: destinationConnectionId,
    key: `order-update:${id}:${revision}`,
    requestId
  })
}

/** What a job tried to change in the shop. */
export interface TriedChanges {
  /** The order as the job saw it. */
  snapshot: Order
  changes: OrderChanges
  notApplied: readonly NotApplied[]
}

/**
 * Stores what the shop has of an order after a job changed it there, and a problem for the rest.
 * Returns the job for what the marketplace changed meanwhile.
 */
export async function storeUpdated (
  query: Query,
  orderId: string,
  { snapshot, changes, notApplied }: TriedChanges,
  requestId?: string
): Promise<JobRequest[]> {
  const order = await lockOrder(query, orderId)
  if (order === undefined) return []
  const refused = new Set(notApplied.map(({ what }) => what))
  const applied = namesOf(changes).filter(name => !refused.has(name))
  const handedOn = withMembers(order.handedOn ?? order.snapshot, snapshot, applied)
  const left = changesBetween(handedOn, order.snapshot)
  const isNew = namesOf(left).some(name => !refused.has(name))
  if (applied.length > 0) await addHistory(query, orderId, updatedEvent, { changes: applied })
  return [
    ...await writeLeft(query, order, handedOn, { notApplied, gained: applied }, requestId),
    ...isNew ? [updateJob(order, requestId)] : []
  ]
}

/** Notes that the hub could make none of the changes. */
export async function storeNotUpdated (query: Query, orderId: string, reason: string): Promise<void> {
  const order = await lockOrder(query, orderId)
  if (order?.handedOn === null || order === undefined) return
  await writeLeft(query, order, order.handedOn, { notApplied: forAll(openChanges(order), reason), gained: [] })
}

/** Takes note of the changes that somebody made in the shop. `order`: its row, locked. */
export async function recordShown (
  query: Query,
  order: OrderRow,
  atShop: Order,
  requestId?: string
): Promise<JobRequest[]> {
  if (order.handedOn === null) return []
  const shown = shownChanges(atShop, order.handedOn, order.snapshot)
  if (shown.length === 0) return []
  await addHistory(query, order.id, 'the shop shows changes', { changes: shown })
  const handedOn = withMembers(order.handedOn, order.snapshot, shown)
  const left = changesBetween(handedOn, order.snapshot)
  const isNoted = order.problems.some(isAboutChanges)
  const notApplied = isNoted ? forAll(left, 'a person has to see to it') : []
  return writeLeft(query, order, handedOn, { notApplied, gained: shown }, requestId)
}

/**
 * Takes the shop's order as equal to the one at the marketplace in what the order's problem tells,
 * because a person said so. Changes that are still on their way to the shop go on.
 */
export async function settleChanges (query: Query, order: OrderRow, requestId?: string): Promise<JobRequest[]> {
  const { handedOn, snapshot } = order
  const problem = order.problems.find(isAboutChanges)
  if (handedOn === null || problem === undefined) return []
  const told = toldChanges(problem.detail, openChanges(order))
  const settled = withMembers(handedOn, snapshot, told)
  await writeHandedOn(query, order.id, hasChanges(changesBetween(settled, snapshot)) ? settled : null)
  return told.includes('lines') ? endMissingPieces({ query }, order.id, order.revision, requestId) : []
}

interface Left {
  notApplied: readonly NotApplied[]
  /** The changes that the shop's order has now. */
  gained: readonly ChangeName[]
}

async function writeLeft (
  query: Query,
  { id, snapshot, problems, revision }: OrderRow,
  handedOn: Order,
  { notApplied, gained }: Left,
  requestId?: string
): Promise<JobRequest[]> {
  const left = changesBetween(handedOn, snapshot)
  await writeHandedOn(query, id, hasChanges(left) ? handedOn : null)
  const told = notApplied.filter(({ what }) => left[what] !== undefined)
  const problem = told.length === 0 ? undefined : changeProblem(id, left, told)
  const former = problems.find(isAboutChanges)
  if (former?.detail !== problem?.detail) {
    await removeProblems(query, id, ['LNK_ORDER_CHANGED'])
    if (problem !== undefined) await addProblem(query, id, problem)
  }
  return gained.includes('lines') ? endMissingPieces({ query }, id, revision, requestId) : []
}

function forAll (changes: OrderChanges, reason: string): NotApplied[] {
  return namesOf(changes).map(what => ({ what, reason }))
}

function changeProblem (orderId: string, changes: OrderChanges, notApplied: readonly NotApplied[]): OrderProblem {
  return { code: 'LNK_ORDER_CHANGED', detail: describeChanges(orderId, changes, notApplied) }
}
