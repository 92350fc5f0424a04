import { ExternalId, TransientError, toTimestamp, type HttpClient, type Log, type OrderEvent } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const markedAtOnce = 500
const beforeAll = '1970-01-01T00:00:00.000Z'

const Message = Type.Object({
  id: Type.String({ minLength: 1 }),
  created: Type.Optional(Type.Unknown()),
  type: Type.Optional(Type.Unknown()),
  payload: Type.Optional(Type.Unknown())
})
type Message = Static<typeof Message>
const OrderPayload = Type.Object({ id: ExternalId })
const knownOrderTypes: readonly unknown[] = ['orderCreated', 'orderStatusChanged', 'orderSellerStatusChanged']
/** The published form of the id of an order. */
const orderIdPattern = /^\d{6}x\d{4,}$/

/**
 * Lists the oldest unread messages. A message that concerns no order is an event as well: left
 * unread, it would hide the orders behind it.
 */
export async function listUnread (http: HttpClient, log: Log, { limit }: { limit: number }): Promise<OrderEvent[]> {
  const messages = await http.json({ method: 'GET', path: 'inbox' })
  if (!Array.isArray(messages)) throw new TransientError('the marketplace answered its inbox without a list')

  const known = messages.filter(message => Value.Check(Message, message))
  if (known.length < messages.length) {
    log.warn(
      { messages: messages.length - known.length },
      'messages without an id cannot be marked as read: they stay in the inbox'
    )
  }
  return known.map(message => toEvent(log, message)).sort(byTime).slice(0, limit)
}

function toEvent (log: Log, { id, created, type, payload }: Message): OrderEvent {
  // A message without a time is not refused: the event only has to be acknowledged.
  const occurredAt = toTimestamp(created) ?? beforeAll
  if (!isAboutOrder(type)) return { eventId: id, occurredAt }
  if (Value.Check(OrderPayload, payload) && (knownOrderTypes.includes(type) || orderIdPattern.test(payload.id))) {
    return { eventId: id, orderExternalId: payload.id, occurredAt }
  }
  log.warn({ eventId: id }, 'skipped an order message that does not name an order')
  return { eventId: id, occurredAt }
}

/**
 * Whether a message may be about an order. The inbox has more types than are published, and the id
 * in such a message may be that of something else.
 */
function isAboutOrder (type: unknown): boolean {
  return typeof type === 'string' && type.startsWith('order')
}

function byTime (a: OrderEvent, b: OrderEvent): number {
  if (a.occurredAt !== b.occurredAt) return a.occurredAt < b.occurredAt ? -1 : 1
  return a.eventId < b.eventId ? -1 : 1
}

/**
 * Marks messages by their ids. Marking everything up to a last message would include one with a
 * smaller id that became visible since.
 */
export async function acknowledge (http: HttpClient, events: readonly OrderEvent[]): Promise<void> {
  const ids = [...new Set(events.map(({ eventId }) => eventId))]
  for (let first = 0; first < ids.length; first += markedAtOnce) {
    const marked = await http.json({
      method: 'POST',
      path: 'inbox/mark-read',
      body: { ids: ids.slice(first, first + markedAtOnce) },
      idempotent: true
    })
    if (!Number.isInteger(marked)) {
      throw new TransientError('the marketplace does not say how many messages it marked as read')
    }
  }
}
