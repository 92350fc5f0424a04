import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { WebhookPlace, WebhookPlaces, WebhookSource } from '../../webhooks.ts'
import { valueAt } from '../pointer.ts'
import { listOfPlaces } from '../webhook-source.ts'
import { isEventType } from '../webhook-words.ts'
import { isEventId } from './event-id.ts'
import { idOf, makeEventId, textOf, timeOf } from './values.ts'

/** The parts of a delivery that may hold its events. */
export interface SourceDelivery {
  /** Names and values in turn. */
  rawHeaders: readonly string[]
  query: string
  rawBody: Buffer
  /**
   * Tells this delivery from others of the same bytes: the time at which the platform signed it, or
   * a value that no other delivery has.
   */
  occasion: string
  /** The body as JSON or as the fields of a form. Undefined: it is plain text. */
  body: unknown
}

export interface SourceRules {
  source: WebhookSource
  platformType: string
  /** Whether an event without an external id is refused. */
  needsObject(event: Pick<SourceEvent, 'topic' | 'eventType'>): boolean
}

/** An event of a delivery. */
export interface SourceEvent {
  topic: string
  /** Undefined: `eventTypes` does not name its topic. Null: the adapter does not want it. */
  eventType: string | null | undefined
  eventId: string
  occurredAt: string | undefined
  objectType: string | undefined
  externalId: string | undefined
}

/** The events cannot be read. The message names the place at fault, never its value. */
export class UnreadableEvents extends Error {
  /** The pointer into the body, if only one place is at fault. */
  readonly pointer: string | undefined

  constructor (message: string, pointer?: string) {
    super(message)
    this.pointer = pointer
  }
}

/** More events than this in one body would hold the stream for too long. */
const mostEvents = 500

/** The parts of a delivery, each read once. */
interface Parts {
  body: unknown
  headers: ReadonlyMap<string, readonly string[]>
  query: URLSearchParams
  digestOfBody: Buffer
  occasion: string
}

/** One event of a delivery, before it is read. */
interface Found {
  parts: Parts
  /** The entry of the list that the platform sends. */
  item: unknown
  index: number
}

/** A value, and whether it is of the entry itself. */
interface Placed {
  value: unknown
  isOfItem: boolean
}

/** Reads the events that `webhooks.source` finds. Throws `UnreadableEvents`. */
export function readSource (
  { body, rawHeaders, query, rawBody, occasion }: SourceDelivery,
  rules: SourceRules
): SourceEvent[] {
  const parts: Parts = {
    body,
    occasion,
    headers: headersOf(rawHeaders),
    query: new URLSearchParams(query),
    digestOfBody: createHash('sha256').update(rawBody).digest()
  }
  return itemsOf(body, rules.source).map((item, index) => readEvent({ parts, item, index }, rules))
}

function itemsOf (body: unknown, { list }: WebhookSource): unknown[] {
  if (list === undefined) return [undefined]
  const items = valueAt(body, list)
  if (!Array.isArray(items)) throw new UnreadableEvents('must be the list of events', list)
  if (items.length > mostEvents) {
    throw new UnreadableEvents(`has ${items.length} events; ${mostEvents} are allowed`, list)
  }
  return items
}

function readEvent (found: Found, { source, platformType, needsObject }: SourceRules): SourceEvent {
  const topic = textOf(find(found, source.topic, textOf)?.value)
  if (topic === undefined) throw missing('topic', source.topic, found, source)
  const eventType = eventTypeOf(topic, source)
  const externalId = idOf(find(found, source.externalId, idOf)?.value)
  if (externalId === undefined && needsObject({ topic, eventType })) {
    throw missing('external id', source.externalId, found, source)
  }
  return {
    topic,
    eventType,
    eventId: eventIdOf(found, { source, platformType, topic, externalId }),
    occurredAt: occurredAtOf(found, source),
    objectType: source.objectType && textOf(find(found, source.objectType, textOf)?.value),
    externalId
  }
}

function eventTypeOf (topic: string, { eventTypes }: WebhookSource): SourceEvent['eventType'] {
  if (eventTypes === undefined) return isEventType(topic) ? topic : undefined
  return Object.hasOwn(eventTypes, topic) ? eventTypes[topic] : undefined
}

function eventIdOf (
  found: Found,
  { source, platformType, topic, externalId }: {
    source: WebhookSource,
    platformType: string,
    topic: string,
    externalId: string | undefined
  }
): string {
  const given = source.eventId === undefined ? undefined : find(found, source.eventId, presence)
  const place = source.list === undefined || given?.isOfItem === true ? '' : `:${found.index}`
  if (given === undefined) {
    const { digestOfBody, occasion } = found.parts
    return hashOf(platformType, [occasion, digestOfBody, topic, externalId, place])
  }
  const id = idOf(given.value)
  if (id === undefined) throw missing('id', source.eventId ?? [], found, source)
  const whole = id + place
  return isEventId(whole) ? whole : hashOf(platformType, [whole])
}

/** An id that is there and cannot be used is a fault; only a missing one has a replacement. */
function presence (value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : 'present'
}

function hashOf (platformType: string, values: readonly (string | Buffer | undefined)[]): string {
  // The length before each value keeps two of them apart.
  return makeEventId(platformType, ...values.flatMap(value => [`${value?.length ?? 'none'}:`, value ?? '']))
}

function occurredAtOf (found: Found, { occurredAt }: WebhookSource): string | undefined {
  if (occurredAt === undefined) return undefined
  const { at, unit } = occurredAt
  const read = (value: unknown): string | undefined => unit === 'iso' ? timeOf(value) : unixTimeOf(value, unit)
  return read(find(found, at, read)?.value)
}

function unixTimeOf (value: unknown, unit: 's' | 'ms'): string | undefined {
  const text = textOf(value) ?? ''
  if (!/^\d{9,14}(?:\.\d+)?$/.test(text)) return undefined
  const timeMs = Number(text) * (unit === 's' ? 1_000 : 1)
  return timeMs < 253_402_300_800_000 ? new Date(timeMs).toISOString() : undefined
}

/** Returns the first place with a value that `read` can use. */
function find (
  found: Found,
  places: WebhookPlaces,
  read: (value: unknown) => string | undefined
): Placed | undefined {
  for (const place of listOfPlaces(places)) {
    const value = valueIn(found, place)
    if (read(value) !== undefined) return { value, isOfItem: 'item' in place }
  }
  return undefined
}

function valueIn ({ parts: { headers, query, body }, item }: Found, place: WebhookPlace): unknown {
  if ('header' in place) return onlyOne(headers.get(place.header.toLowerCase()) ?? [])
  if ('query' in place) return onlyOne(query.getAll(place.query))
  if ('body' in place) return valueAt(body, place.body)
  return 'item' in place ? valueAt(item, place.item) : place.text
}

/** Returns the values of each header by its name in lower case. */
function headersOf (rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    headers.set(name, [...headers.get(name) ?? [], decodeHeader(rawHeaders[index + 1] ?? '')])
  }
  return headers
}

/** Node reads headers as Latin-1, and platforms write UTF-8. */
function decodeHeader (value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : value
}

/** A value that came twice is none: nobody can say which one is meant. */
function onlyOne (values: readonly string[]): string | undefined {
  return values.length === 1 ? values[0] : undefined
}

function missing (member: string, places: WebhookPlaces, { index }: Found, { list = '' }: WebhookSource): Error {
  const names = listOfPlaces(places).map(place => {
    if ('header' in place) return `header ${place.header}`
    if ('query' in place) return `query parameter ${place.query}`
    if ('body' in place) return place.body
    return 'item' in place ? `${list}/${index}${place.item}` : 'a fixed text'
  })
  return new UnreadableEvents(`The ${member} of the event is missing or is no text or whole number: ${
    names.join(' or ')
  }`)
}
