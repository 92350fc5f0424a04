import type { WebhookBodyForm, WebhookPlace, WebhookPlaces, WebhookSource } from '@linker/sdk'
import { isEventType, listOfPlaces } from '@linker/sdk/host'

/** An event to send, in the hub's own words. */
export interface EventToWrite {
  eventId: string
  /** An event type of the hub, or a topic of the platform. */
  eventType: string
  object: { type: string, externalId: string }
  /** The members of the body, or of the entry in its list, that no place of the event names. */
  payload: unknown
  occurredAt: Date
}

export interface WrittenDelivery {
  headers: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  body: string
  /** The topic that stands for the event type. Undefined: the platform has no topics. */
  topic: string | undefined
}

/**
 * Writes an event as the platform sends it, always as JSON. Undefined: the declaration has no form
 * for an event of this type.
 */
export function writeDelivery (
  { source, body }: { source?: WebhookSource | undefined, body?: WebhookBodyForm | undefined },
  event: EventToWrite
): WrittenDelivery | undefined {
  if (source !== undefined) return writeToSource(source, event)
  return body?.eventType === event.eventType ? writeToForm(body, event) : undefined
}

function writeToSource (source: WebhookSource, event: EventToWrite): WrittenDelivery | undefined {
  const { list, objectType = [], eventId = [], occurredAt, externalId } = source
  const topic = topicOf(event.eventType, source)
  if (topic === undefined) return undefined
  const values: [WebhookPlaces, string][] = [
    [objectType, event.object.type],
    [occurredAt?.at ?? [], occurredAt === undefined ? '' : writeTime(event.occurredAt, occurredAt.unit)],
    [eventId, event.eventId],
    [externalId, event.object.externalId],
    [source.topic, topic]
  ]
  const places = values.flatMap(([of, value]) => {
    const [first] = listOfPlaces(of)
    return first === undefined || 'text' in first ? [] : [[first, value] as const]
  })
  const headers: Record<string, string> = {}
  const query: Record<string, string> = {}
  let body: unknown = list === undefined ? event.payload : undefined
  let item: unknown = event.payload
  for (const [place, value] of places) {
    if ('header' in place) headers[place.header.toLowerCase()] = encodeHeader(value)
    if ('query' in place) query[place.query] = value
    if ('body' in place) body = withValue(body, place.body, value)
    if ('item' in place) item = withValue(item, place.item, value)
  }
  if (list !== undefined) body = withValue(body, list, [item ?? {}])
  return { headers, query, body: JSON.stringify(body ?? {}), topic }
}

/**
 * Returns the topic that becomes an event type. A text that cannot be an event type is a topic that
 * the adapter does not map.
 */
function topicOf (type: string, { topic, eventTypes }: WebhookSource): string | undefined {
  const topics = Object.entries(eventTypes ?? {})
  const known = eventTypes === undefined || Object.hasOwn(eventTypes, type) || !isEventType(type)
  const fitting = known ? [type] : topics.flatMap(([name, eventType]) => eventType === type ? [name] : [])
  const [first] = listOfPlaces(topic)
  return first !== undefined && isFixed(first) ? fitting.find(name => name === first.text) : fitting[0]
}

function isFixed (place: WebhookPlace): place is { text: string } {
  return 'text' in place
}

function writeToForm (form: WebhookBodyForm, { eventId, object, payload, occurredAt }: EventToWrite): WrittenDelivery {
  const [time] = form.occurredAt ?? []
  const values: [string | undefined, string][] = [
    ['/eventId', eventId],
    [time, occurredAt.toISOString()],
    [form.externalId, object.externalId]
  ]
  const body = values.reduce(
    (written, [pointer, value]) => pointer === undefined ? written : withValue(written, pointer, value),
    payload
  )
  return { headers: {}, query: {}, body: JSON.stringify(body), topic: undefined }
}

function writeTime (time: Date, unit: 's' | 'ms' | 'iso'): string {
  if (unit === 'iso') return time.toISOString()
  return String(unit === 's' ? Math.floor(time.getTime() / 1_000) : time.getTime())
}

/** Node writes each character of a header as one byte, and the hub reads UTF-8. */
function encodeHeader (value: string): string {
  return Buffer.from(value).toString('latin1')
}

/** Returns a copy of a value with another one at a JSON pointer (RFC 6901). */
function withValue (value: unknown, pointer: string, set: unknown): unknown {
  if (pointer === '') return set
  const [, name = '', ...rest] = pointer.split('/')
  const member = name.replaceAll('~1', '/').replaceAll('~0', '~')
  const inner = rest.length === 0 ? '' : `/${rest.join('/')}`
  const members = typeof value === 'object' && value !== null ? { ...value } : {}
  return { ...members, [member]: withValue(Reflect.get(members, member), inner, set) }
}
