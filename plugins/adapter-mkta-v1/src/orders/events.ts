import {
  ExternalId,
  Nullable,
  RejectedError,
  toTimestamp,
  TransientError,
  type HttpClient,
  type Log,
  type OrderEvent,
  type OrderEventPage
} from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { MarketplaceContext } from '../config.ts'

const largestPage = 1_000
/** Ten minutes, as ids are microseconds: an event may become visible after a later one. */
const overlap = 10n * 60n * 1_000_000n
/** The marketplace keeps events for 60 days. */
const keptMs = 59 * 24 * 3_600_000
/** A page that follows the page before within this time needs no overlap. */
const longestPauseMs = 60_000
const emptyJournal = '0'

const Id = Type.String({ pattern: '^[0-9]{1,18}$' })
// Require only the id, so that the position moves past an event that cannot be read.
const Event = Type.Object({ id: Id, occurredAt: Type.Optional(Type.Unknown()), type: Type.Optional(Type.Unknown()) })
type Event = Static<typeof Event>
const OfOrder = Type.Object({ order: Type.Object({ checkoutForm: Type.Object({ id: ExternalId }) }) })
const Journal = Type.Object({ events: Type.Array(Event) })
const Stats = Type.Object({ latestEvent: Nullable(Type.Object({ id: Id })) })

/**
 * Reads the journal of orders. The cursor is the greatest id that was read, in decimal digits; the
 * runtime stores it. The first page of a reading goes back by the overlap. The pages after it go on
 * exactly. Their cursor holds the time of the page before in milliseconds: after a longer pause the
 * next page begins another reading.
 *
 *     none ──▶ '1735812000123456' ──overlap before it──▶ '>1735812000123999@1735812600000'
 *          ──full page──▶ '>…' ──last page──▶ '1735812600000000'
 */
export async function listOrderEvents (
  http: HttpClient,
  { clock, log }: Pick<MarketplaceContext, 'clock' | 'log'>,
  { cursor, limit: wanted }: { cursor?: string, limit: number }
): Promise<OrderEventPage> {
  const now = clock.now()
  if (cursor === undefined) return { events: [], cursor: await readLatest(http), hasMore: false }
  const { position, readAt } = parseCursor(cursor)
  const isExact = readAt !== undefined && now.getTime() - readAt <= longestPauseMs
  const limit = Math.min(Math.max(1, wanted), largestPage)
  const isLost = !isExact && position > 0n && position < microsecondsOf(now.getTime() - keptMs)
  const overlapped = isLost || position < overlap ? 0n : position - overlap
  const after = isExact ? position : overlapped
  const query = { from: after === 0n ? undefined : String(after), limit }
  const { events } = await http.get('order/events', { query, as: Journal })

  const last = events.reduce((greatest, { id }) => BigInt(id) > greatest ? BigInt(id) : greatest, after)
  const hasMore = events.length >= limit
  // Without this check, the reading would ask for the same page forever.
  if (hasMore && last === after) {
    throw new TransientError('the marketplace answered a full page of its journal without a position for the next page')
  }
  // Without a new position, a lost position with no events after it would be lost at every reading.
  const greatest = last > position ? last : position
  const newest = isLost && events.length === 0 ? microsecondsOf(now.getTime()) : greatest
  return {
    events: toEvents(log, events),
    cursor: hasMore ? `>${last}@${now.getTime()}` : String(newest),
    hasMore,
    isIncomplete: isLost
  }
}

async function readLatest (http: HttpClient): Promise<string> {
  const { latestEvent } = await http.get('order/event-stats', { as: Stats })
  return latestEvent?.id ?? emptyJournal
}

/** `readAt`: the time of a page that more pages follow. An older hub stored `>` without a time. */
function parseCursor (cursor: string): { position: bigint, readAt: number | undefined } {
  const [, mark, digits, time = '0'] = /^(>?)([0-9]{1,18})(?:(?<=^>[0-9]+)@([0-9]{1,15}))?$/.exec(cursor) ?? []
  if (digits === undefined) {
    throw new RejectedError(`'${cursor.slice(0, 64)}' is not a position in the journal of orders`)
  }
  return { position: BigInt(digits), readAt: mark === '>' ? Number(time) : undefined }
}

// Compare the ids as numbers: as texts they may differ in length.
function toEvents (log: Log, events: readonly Event[]): OrderEvent[] {
  const distinct = new Map(events.map(event => [event.id, event]))
  return [...distinct.values()]
    .toSorted((a, b) => BigInt(a.id) < BigInt(b.id) ? -1 : 1)
    .map(event => toEvent(log, event))
}

function toEvent (log: Log, event: Event): OrderEvent {
  const { id, type } = event
  const occurredAt = toTimestamp(event.occurredAt) ?? new Date(Number(BigInt(id) / 1_000n)).toISOString()
  if (Value.Check(OfOrder, event)) return { eventId: id, orderExternalId: event.order.checkoutForm.id, occurredAt }
  // A purchase has no order before the buyer begins to fill in the form.
  if (type !== 'BOUGHT') {
    log.warn({ eventId: id }, 'skipped an order event that does not name an order')
  }
  return { eventId: id, occurredAt }
}

function microsecondsOf (ms: number): bigint {
  return BigInt(ms) * 1_000n
}
