import {
  pageSize,
  readRows,
  RejectedError,
  TransientError,
  type HttpClient,
  type KeyValueStore,
  type Order,
  type Page,
  type PageRequest
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { maskedMailDomains, type MarketplaceContext } from '../config.ts'
import { readOrder } from './read.ts'

const largestPage = 100
/** The marketplace shows at most this many rows of one list. */
const furthestRow = 10_000
/** Fewer than `furthestRow`, because a list grows while it is read. */
const mostInSpan = 9_000
/** A row that changes leaves a span that is over, and the rows behind it move up. */
const overlap = 10
const beforeAll = '1970-01-01T00:00:00.000Z'
/** The oldest last change of an order whose cancellation is still found. */
const cancelledMs = 28 * 24 * 3_600_000
const askedSinceKey = 'orders-asked-since'

const List = Type.Object({ checkoutForms: Type.Array(Type.Unknown()), totalCount: Type.Optional(Type.Integer()) })
/**
 * A span of times of change, and a row in it. The last span has no end, so an order that changes
 * meanwhile stays in it. `cancelledBy`: lists only orders that this member marks as cancelled.
 */
const Position = Type.Object({
  from: Type.String(),
  to: Type.Union([Type.String(), Type.Null()]),
  offset: Type.Integer({ minimum: 0, maximum: furthestRow }),
  cancelledBy: Type.Optional(Type.Union([Type.Literal('status'), Type.Literal('fulfillment.status')]))
})
type Position = Static<typeof Position>

/**
 * Lists one page of the orders that changed since a time, for a sweep. When a span of time has more
 * orders than the marketplace shows, the span is halved until it has fewer. Older spans therefore
 * come before younger ones, but the orders of one span are not sorted. The marketplace may not
 * count a cancellation as a change, so the cancelled orders of some weeks follow.
 *
 *     changed since ──▶ cancelled by `status` ──▶ cancelled by `fulfillment.status`
 */
export async function listOrders (
  http: HttpClient,
  context: MarketplaceContext,
  { cursor, limit: wanted, updatedSince = beforeAll }: PageRequest & { updatedSince?: string }
): Promise<Page<Order>> {
  const limit = pageSize(wanted, largestPage)
  const now = context.clock.now()
  if (cursor === undefined) await rememberAsked(context.kv, updatedSince)
  let position: Position = cursor === undefined ? { from: updatedSince, to: null, offset: 0 } : parsePosition(cursor)
  let page = await readPage(http, position, limit)
  while (position.offset === 0 && page.totalCount > mostInSpan) {
    position = { ...position, to: middleOf(position, now) }
    page = await readPage(http, position, limit)
  }
  const masked = maskedMailDomains(context.platform)
  const items = readRows(page.checkoutForms, row => readOrder(row, masked), { log: context.log, what: 'an order' })
  const next = nextOf(position, page, limit) ?? await nextList(context, position, updatedSince)
  return { items, nextCursor: next && JSON.stringify(next) }
}

async function readPage (http: HttpClient, { from, to, offset, cancelledBy }: Position, limit: number) {
  const query = {
    ...(cancelledBy === undefined ? {} : { [cancelledBy]: 'CANCELLED' }),
    'updatedAt.gte': from,
    'updatedAt.lte': to ?? undefined,
    sort: '-lineItems.boughtAt',
    limit: Math.min(limit, furthestRow - offset),
    offset
  }
  const { checkoutForms, totalCount = checkoutForms.length } = await http.get('order/checkout-forms', {
    query,
    as: List
  })
  return { checkoutForms, totalCount }
}

function nextOf (
  position: Position,
  { checkoutForms, totalCount }: { checkoutForms: readonly unknown[], totalCount: number },
  limit: number
): Position | undefined {
  const { to, offset } = position
  const reached = offset + checkoutForms.length
  if (checkoutForms.length >= limit && reached < Math.min(totalCount, furthestRow)) {
    return { ...position, offset: to === null ? reached : reached - Math.min(overlap, limit - 1) }
  }
  return to === null ? undefined : { ...position, from: to, to: null, offset: 0 }
}

/** Returns the position of the list that follows the last span. */
async function nextList (
  { kv, clock }: MarketplaceContext,
  { cancelledBy }: Position,
  updatedSince: string
): Promise<Position | undefined> {
  if (cancelledBy === 'fulfillment.status') return undefined
  // Skip orders older than the earliest time asked for: they may have been handled without the hub.
  const from = Math.max(clock.now().getTime() - cancelledMs, Date.parse(await readAsked(kv) ?? updatedSince))
  if (!(from < Date.parse(updatedSince))) return undefined
  return {
    from: new Date(from).toISOString(),
    to: null,
    offset: 0,
    cancelledBy: cancelledBy === undefined ? 'status' : 'fulfillment.status'
  }
}

/** The earliest time of change that the hub has asked for. */
async function readAsked (kv: KeyValueStore): Promise<string | undefined> {
  const asked = await kv.get(askedSinceKey)
  return typeof asked === 'string' ? asked : undefined
}

async function rememberAsked (kv: KeyValueStore, updatedSince: string): Promise<void> {
  const asked = await readAsked(kv)
  if (asked === undefined || Date.parse(updatedSince) < Date.parse(asked)) await kv.set(askedSinceKey, updatedSince)
}

function middleOf ({ from, to }: Position, now: Date): string {
  const start = Date.parse(from)
  const middle = Math.floor((start + (to === null ? now.getTime() : Date.parse(to))) / 2)
  if (!(middle > start)) {
    throw new TransientError(`the marketplace has more than ${mostInSpan} orders that changed at ${from}`)
  }
  return new Date(middle).toISOString()
}

function parsePosition (cursor: string): Position {
  let position: unknown
  try {
    position = JSON.parse(cursor)
  } catch {
    position = undefined
  }
  if (!Value.Check(Position, position)) {
    throw new RejectedError(`'${cursor.slice(0, 64)}' is not a position in the list of orders`)
  }
  return position
}
