import {
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
import { maskedMailDomains, type MarketplaceContext } from './config.ts'
import { parseAs } from './read-answer.ts'
import { readOrder } from './read-order.ts'

const largestPage = 100
/** The marketplace shows no more rows of one list than this. */
const furthestRow = 10_000
/** Fewer, because a list grows while it is read. */
const mostInSpan = 9_000
/** Rows that change leave a span that is over, and those behind them move up. */
const overlap = 10
const beforeAll = '1970-01-01T00:00:00.000Z'
/** How long ago an order may have changed last whose cancellation is still found. */
const cancelledMs = 28 * 24 * 3_600_000
const askedSinceKey = 'orders-asked-since'

const List = Type.Object({ checkoutForms: Type.Array(Type.Unknown()), totalCount: Type.Optional(Type.Integer()) })
/**
 * A span of times of change, and a row in it. The last span has no end: what changes meanwhile
 * stays in it. `cancelledBy`: only forms that this member says are cancelled.
 */
const Position = Type.Object({
  from: Type.String(),
  to: Type.Union([Type.String(), Type.Null()]),
  offset: Type.Integer({ minimum: 0, maximum: furthestRow }),
  cancelledBy: Type.Optional(Type.Union([Type.Literal('status'), Type.Literal('fulfillment.status')]))
})
type Position = Static<typeof Position>

/**
 * One page of the orders changed since a time, for a sweep. A span of time with more orders than
 * the marketplace shows is halved until it has fewer, so the older changes come before the younger
 * ones, not sorted among themselves. A cancellation may be no change to the marketplace: the
 * cancelled orders of some weeks follow.
 *
 *     changed since ──▶ cancelled by `status` ──▶ cancelled by `fulfillment.status`
 */
export async function listOrders (
  http: HttpClient,
  context: MarketplaceContext,
  { cursor, limit: wanted, updatedSince = beforeAll }: PageRequest & { updatedSince?: string }
): Promise<Page<Order>> {
  const limit = Math.min(Math.max(1, wanted), largestPage)
  const now = context.clock.now()
  if (cursor === undefined) await rememberAsked(context.kv, updatedSince)
  let position: Position = cursor === undefined ? { from: updatedSince, to: null, offset: 0 } : parsePosition(cursor)
  let page = await readPage(http, position, limit)
  while (position.offset === 0 && page.totalCount > mostInSpan) {
    position = { ...position, to: middleOf(position, now) }
    page = await readPage(http, position, limit)
  }
  const masked = maskedMailDomains(context.platform)
  const items = page.checkoutForms.flatMap((row: unknown) => {
    try {
      return [readOrder(row, masked)]
    } catch (error) {
      context.log.warn(
        { externalId: idOf(row), reason: error instanceof Error ? error.message : '' },
        'an order that cannot be read is left out of the list'
      )
      return []
    }
  })
  const next = nextOf(position, page, limit) ?? await nextList(context, position, updatedSince)
  return { items, ...(next === undefined ? {} : { nextCursor: JSON.stringify(next) }) }
}

async function readPage (http: HttpClient, { from, to, offset, cancelledBy }: Position, limit: number) {
  const query = {
    ...(cancelledBy === undefined ? {} : { [cancelledBy]: 'CANCELLED' }),
    'updatedAt.gte': from,
    ...(to === null ? {} : { 'updatedAt.lte': to }),
    sort: '-lineItems.boughtAt',
    limit: Math.min(limit, furthestRow - offset),
    offset
  }
  const { checkoutForms, totalCount = checkoutForms.length } = parseAs(
    List,
    await http.json({ method: 'GET', path: 'order/checkout-forms', query }),
    'its list of orders'
  )
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

/** What is listed behind the last span of a list. */
async function nextList (
  { kv, clock }: MarketplaceContext,
  { cancelledBy }: Position,
  updatedSince: string
): Promise<Position | undefined> {
  if (cancelledBy === 'fulfillment.status') return undefined
  // What changed last before the hub was interested in orders may have been seen to without it.
  const from = Math.max(clock.now().getTime() - cancelledMs, Date.parse(await readAsked(kv) ?? updatedSince))
  if (!(from < Date.parse(updatedSince))) return undefined
  return {
    from: new Date(from).toISOString(),
    to: null,
    offset: 0,
    cancelledBy: cancelledBy === undefined ? 'status' : 'fulfillment.status'
  }
}

/** The earliest time of change that the hub ever asked for. */
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
    throw new RejectedError(`'${cursor.slice(0, 64)}' is no position in the list of orders`)
  }
  return position
}

function idOf (row: unknown): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : undefined
}
