import type { Query, Transaction } from '../database/database.ts'
import type { JobRequest } from '../jobs/job.ts'
import { unknownEvent } from './history-events.ts'
import { findOrderId } from './ingest-order.ts'
import { syncOrder } from './jobs.ts'
import { readLinesOf } from './lines/store.ts'
import { isAboutUnknown, type OrderProblem } from './problem-codes.ts'
import { addProblem } from './problems.ts'
import { isReserving } from './status.ts'
import { addHistory, lockOrder, lockOrdersWithLines, markUnknown, readOrder, type OrderRow } from './store.ts'

/** When the hub asks again for an order that its marketplace does not know. */
const askedAgainMs = [15 * 60_000, 60 * 60_000]

/**
 * What follows when a marketplace does not know an order. The answer alone proves little: live
 * orders have had it for hours, and the marketplace may have replaced the order. So the hub asks
 * again, and then a person decides.
 */
type Loss = 'nothing' | 'ask-again' | 'wait' | 'problem'

function lossOf ({ status, destinationExternalId, unknownSince, isUnknownForLong, problems }: OrderRow): Loss {
  const isAtDestination = destinationExternalId !== null
  const isOpen = isReserving(status, isAtDestination) || status === 'created' ||
    (status === 'shipped' && isAtDestination)
  if (!isOpen || problems.some(isAboutUnknown)) return 'nothing'
  if (unknownSince === null) return 'ask-again'
  return isUnknownForLong ? 'problem' : 'wait'
}

const told: Readonly<Record<Loss, string>> = {
  'nothing': 'the marketplace does not know the order',
  'ask-again': 'the marketplace does not know the order: the hub asks again in 15 minutes and in an hour',
  'wait': 'the marketplace does not know the order: the hub asks again until an hour has passed',
  'problem': 'the marketplace has not known the order for an hour: a person has to decide'
}

/** Describes what `missOrder` will do about an order, for the result of its job. */
export async function describeLoss (
  query: Query,
  connectionId: string,
  externalId: string
): Promise<Record<string, unknown>> {
  const order = await readOrder(query, await findOrderId(query, connectionId, externalId))
  // The order may be new: the hub asks for it again.
  if (order === undefined) return { skipped: told.nothing }
  const { id: orderId, status } = order
  const loss = lossOf(order)
  return { orderId, status, [loss === 'problem' ? 'problem' : 'skipped']: told[loss] }
}

export interface MissOptions {
  /** What asked for the reading: the next one asks again, too. */
  occasion: string
  /** Whether another order of the marketplace may have the lines of this one. */
  keepsLineIds?: boolean
  /** Whether the reading already asked again for an order that the hub does not know. */
  isAskedAgain?: boolean | undefined
  requestId?: string | undefined
}

/**
 * Notes that a marketplace does not know an order, and cancels nothing. Returns the jobs that ask
 * again, also for an order that the hub does not know: it may be new. Notes a problem when the
 * marketplace has not known the order for an hour.
 */
export async function missOrder (
  { query }: Transaction,
  connectionId: string,
  externalId: string,
  { occasion, keepsLineIds = false, isAskedAgain = false, requestId }: MissOptions
): Promise<JobRequest[]> {
  const id = await findOrderId(query, connectionId, externalId)
  const order = await lockOrder(query, id)
  const askAgain = (occasion: string, more: { isAskedAgain?: true } = {}): JobRequest[] =>
    askedAgainMs.map(delayMs =>
      syncOrder.request({ externalId, ...more }, {
        connectionId,
        key: `order-unknown:${id}:${occasion}:${delayMs}`,
        delayMs,
        requestId
      })
    )
  if (order === undefined) return isAskedAgain ? [] : askAgain(occasion, { isAskedAgain: true })
  const loss = lossOf(order)
  if (loss === 'nothing' || loss === 'wait') return []
  if (loss === 'problem') {
    await addProblem(query, id, problemOf(order, keepsLineIds ? await findHolders(query, order) : undefined))
    return []
  }
  await markUnknown(query, id)
  return askAgain(await addHistory(query, id, unknownEvent))
}

/** Returns the ids, at the marketplace, of the other orders that have lines of this one. */
async function findHolders (query: Query, order: OrderRow): Promise<string[]> {
  const lines = (await readLinesOf(query, [order.id])).get(order.id) ?? []
  const holders = await lockOrdersWithLines(query, order, lines.map(({ externalId }) => externalId))
  return holders.map(({ externalId }) => externalId)
}

function problemOf ({ id }: OrderRow, holders: readonly string[] | undefined): OrderProblem {
  const detail = `the marketplace has answered for an hour that it does not know the order${tellHolders(holders)}. ` +
    `Look there, then cancel it with POST /orders/${id}/cancel if it is gone`
  return { code: 'gone', detail }
}

function tellHolders (holders: readonly string[] | undefined): string {
  if (holders === undefined) return ''
  return holders.length === 0
    ? ', and no other order has its lines'
    : `, and order ${holders.map(externalId => `'${externalId}'`).join(', ')} has lines of it`
}
