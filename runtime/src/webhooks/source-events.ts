import type { WebhookPlace, WebhookPlaces, WebhookSource } from '@linker/sdk'
import { listOfPlaces } from '@linker/sdk/host'
import { createHash } from 'node:crypto'
import { WebhookMalformedError } from '../errors.ts'
import { eventId, idOf, textOf as textOfValue, timeOf, valueAt } from './body-form.ts'
import { eventTypePattern, malformed, parseJson, textOf, type CheckBody, type WebhookBody } from './body.ts'

/** The parts of a delivery that may hold its events. */
export interface SourceDelivery {
  contentType: string | undefined
  /** Names and values in turn. */
  rawHeaders: readonly string[]
  query: string
  rawBody: Buffer
}

/** The rules for reading the deliveries of a platform. */
export interface ForeignSource {
  source: WebhookSource
  platformType: string
  receivedAt: Date
}

/** Returns the events of a delivery; refuses it with a 400 that names the place at fault. */
export type ParseEvents = (delivery: SourceDelivery, foreign: ForeignSource) => WebhookBody[]

/** More events than this in one body would hold the stream for too long. */
const mostEvents = 500

type Content = 'json' | NonNullable<WebhookSource['content']>[number]

const contents: readonly (readonly [Content, RegExp])[] = [
  ['json', /^application\/(?:json|[a-z0-9!#$&^_.-]+\+json) *(?:;|$)/i],
  ['form', /^application\/x-www-form-urlencoded *(?:;|$)/i],
  ['text', /^text\/plain *(?:;|$)/i]
]
const words: Readonly<Record<Content, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain'
}

/** Throws unless the Content-Type is JSON, or another one that the platform declares. */
export function refuseOtherContent (contentType: string | undefined, { content = [] }: WebhookSource): void {
  const found = contentOf(contentType)
  const allowed: readonly Content[] = ['json', ...content]
  if (found === undefined || !allowed.includes(found)) {
    throw new WebhookMalformedError(`Content-Type must be ${allowed.map(one => words[one]).join(' or ')}`)
  }
}

function contentOf (contentType = ''): Content | undefined {
  return contents.find(([, pattern]) => pattern.test(contentType))?.[0]
}

/** One event of a delivery, before it is translated. */
interface Found {
  delivery: SourceDelivery
  body: unknown
  /** The entry of the list that the platform sends. */
  item: unknown
  index: number
}

/** A value, and whether it is of the entry itself. */
interface Placed {
  value: unknown
  isOfItem: boolean
}

export function createSourceParser (check: CheckBody): ParseEvents {
  return function parseEvents (delivery, foreign) {
    const body = readBody(delivery)
    if (isOwnForm(body)) return [checked(body)]
    return itemsOf(body, foreign.source).map((item, index) =>
      checked(translate({ delivery, body, item, index }, foreign))
    )
  }

  function checked (body: unknown): WebhookBody {
    const problems = check(body)
    if (problems.length > 0) throw malformed(problems)
    return body as WebhookBody
  }
}

function readBody ({ contentType, rawBody }: SourceDelivery): unknown {
  const content = contentOf(contentType)
  const text = textOf(rawBody)
  if (content === 'json') return parseJson(text)
  return content === 'form' ? Object.fromEntries(new URLSearchParams(text)) : undefined
}

/** Whether a body is in the hub's own form, as that of the self-test. */
function isOwnForm (body: unknown): boolean {
  return ['/schemaVersion', '/eventId', '/eventType', '/object'].every(pointer => valueAt(body, pointer) !== undefined)
}

function itemsOf (body: unknown, { list }: WebhookSource): unknown[] {
  if (list === undefined) return [undefined]
  const items = valueAt(body, list)
  if (!Array.isArray(items)) throw refusal(list, 'must be the list of events')
  if (items.length > mostEvents) throw refusal(list, `has ${items.length} events; ${mostEvents} are allowed`)
  return items
}

function translate (found: Found, { source, platformType, receivedAt }: ForeignSource): object {
  const topic = textOfValue(find(found, source.topic, textOfValue)?.value)
  if (topic === undefined) throw missing('topic', source.topic, found, source)
  const eventType = eventTypeOf(topic, source)
  const externalId = idOf(find(found, source.externalId, idOf)?.value)
  const startsNothing = /^(?:test|unmapped)\./.test(eventType)
  if (externalId === undefined && !startsNothing) throw missing('external id', source.externalId, found, source)
  const objectType = source.objectType && textOfValue(find(found, source.objectType, textOfValue)?.value)
  return {
    schemaVersion: 1,
    eventId: eventIdOf(found, { source, platformType, topic, externalId }),
    eventType,
    occurredAt: occurredAtOf(found, source) ?? receivedAt.toISOString(),
    object: { type: objectType ?? eventType.split('.', 1)[0], externalId: externalId ?? 'none' }
  }
}

/** The hub keeps an event of an unknown topic under a type that starts no job. */
function eventTypeOf (topic: string, { eventTypes }: WebhookSource): string {
  const known = eventTypes === undefined
    ? eventTypePattern.test(topic) ? topic : undefined
    : Object.hasOwn(eventTypes, topic)
    ? eventTypes[topic]
    : undefined
  return known ?? `unmapped.${topic.toLowerCase().replaceAll(/[^a-z0-9_]+/g, '_').slice(0, 80)}`
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
  const given = source.eventId === undefined ? undefined : find(found, source.eventId, idOf)
  const id = idOf(given?.value)
  const place = source.list === undefined || given?.isOfItem === true ? '' : `:${found.index}`
  if (id === undefined) return `${platformType}-${hash([found.delivery.rawBody, topic, externalId, place])}`
  const whole = id + place
  return eventId.test(whole) ? whole : `${platformType}-${hash([whole])}`
}

function hash (values: readonly (string | Buffer | undefined)[]): string {
  const hash = createHash('sha256')
  // The length before each value keeps two of them apart.
  for (const value of values) hash.update(`${value?.length ?? 'none'}:`).update(value ?? '')
  return hash.digest('hex').slice(0, 32)
}

function occurredAtOf (found: Found, { occurredAt }: WebhookSource): string | undefined {
  if (occurredAt === undefined) return undefined
  const { at, unit } = occurredAt
  const read = (value: unknown): string | undefined => unit === 'iso' ? timeOf(value) : unixTimeOf(value, unit)
  return read(find(found, at, read)?.value)
}

function unixTimeOf (value: unknown, unit: 's' | 'ms'): string | undefined {
  const text = textOfValue(value) ?? ''
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

function valueIn ({ delivery: { rawHeaders, query }, body, item }: Found, place: WebhookPlace): unknown {
  if ('header' in place) return onlyOne(headersOf(rawHeaders, place.header))
  if ('query' in place) return onlyOne(new URLSearchParams(query).getAll(place.query))
  if ('body' in place) return valueAt(body, place.body)
  return 'item' in place ? valueAt(item, place.item) : place.text
}

function headersOf (rawHeaders: readonly string[], name: string): string[] {
  const wanted = name.toLowerCase()
  return rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted)
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
  return new WebhookMalformedError(`The ${member} of the event is missing or is no text or exact number: ${
    names.join(' or ')
  }`)
}

function refusal (pointer: string, message: string): Error {
  return malformed([{ pointer, code: 'list', message }])
}
