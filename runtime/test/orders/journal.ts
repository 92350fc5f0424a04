import type { Order, OrderEventPage } from '@linker/sdk'

export function orderOf (externalId: string, more: Partial<Order> = {}): Order {
  const price = { amount: '10.00', currency: 'PLN' }
  return {
    externalId,
    status: 'processing',
    revision: '1',
    placedAt: '2025-01-02T10:00:00.000Z',
    buyer: { email: 'buyer@example.com' },
    lines: [{ externalId: '1', offerExternalId: 'offer-1', name: 'Mug', quantity: 1, unitPrice: price }],
    total: price,
    payment: { method: 'prepaid', paid: price },
    shipping: { methodId: 'locker', price },
    ...more
  }
}

/**
 * `hidden`: the event happened and is not visible yet. `late`: it became visible after events with
 * greater ids.
 */
type Visibility = 'hidden' | 'late' | 'shown'
interface Entry {
  id: number
  orderExternalId: string
  visibility: Visibility
}

/** How many ids before its cursor the adapter reads again. */
const overlap = 50
const mostInPage = 100

/**
 * A marketplace with a journal whose ids grow, as its adapter shows it. Some of the newest events
 * become visible only after events with greater ids, so the adapter reads an overlap again. Every
 * order has several events, and some events come twice.
 */
export function createJournal (orders: number, eventsPerOrder: number) {
  const entries: Entry[] = Array.from(
    { length: orders * eventsPerOrder },
    (_, index) => ({ id: index + 1, orderExternalId: `order-${(index * 7) % orders}`, visibility: 'shown' })
  )
  let published = 0
  const shown = () => entries.slice(0, published).filter(({ visibility }) => visibility !== 'hidden')

  return {
    orders: [...new Set(entries.map(({ orderExternalId }) => orderExternalId))].toSorted(),
    isOver: () => published === entries.length && entries.every(({ visibility }) => visibility !== 'hidden'),
    /** Publishes `count` more events, and shows the hidden ones. */
    publish (count: number): void {
      for (const entry of entries) entry.visibility = entry.visibility === 'hidden' ? 'late' : 'shown'
      const before = published
      published = Math.min(entries.length, published + count)
      for (const entry of entries.slice(before, published)) {
        entry.visibility = entry.id % 13 === 5 && published - entry.id < overlap - 10 ? 'hidden' : 'shown'
      }
    },
    /** Returns the events at or before a cursor that were visible at the last reading. */
    upTo: (cursor: string | undefined) =>
      shown().filter(({ id, visibility }) => cursor !== undefined && id <= Number(cursor) && visibility === 'shown')
        .map(({ id }) => String(id)),
    eventIds: () => shown().map(({ id }) => String(id)),
    listOrderEvents ({ cursor, limit }: { cursor?: string, limit: number }): OrderEventPage {
      const from = Number(cursor ?? 0)
      const again = shown().filter(({ id }) => id <= from && id > from - overlap)
      const after = shown().filter(({ id }) => id > from)
      const next = after.slice(0, Math.min(limit, mostInPage))
      const last = next.at(-1)
      return {
        events: [...again, ...next, ...next.slice(0, 1)].map(({ id, orderExternalId }) => ({
          eventId: String(id),
          orderExternalId,
          occurredAt: '2025-01-02T10:00:00.000Z'
        })),
        ...(last === undefined ? {} : { cursor: String(last.id) }),
        hasMore: after.length > next.length
      }
    }
  }
}
