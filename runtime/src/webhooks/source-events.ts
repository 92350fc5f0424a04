import type { WebhookPlace, WebhookPlaces, WebhookSource } from '@linker/sdk'
import { contentOf, listOfPlaces, readForm, valueAt, type WebhookContent } from '@linker/sdk/host'
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { WebhookMalformedError } from '../errors.ts'
import { unmappedType, unwantedType } from '../events/unmapped-topics.ts'
import { eventId, idOf, textOf as textOfValue, timeOf } from './body-form.ts'
import { isEventType, malformed, parseJson, textOf, type CheckBody, type WebhookBody } from './body.ts'

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
  /** Whether an event of a type starts a job. The others need no object. */
  startsJob(eventType: string): boolean
}

/** Returns the events of a delivery; refuses it with a 400 that names the place at fault. */
export type ParseEvents = (delivery: SourceDelivery, foreign: ForeignSource) => WebhookBody[]

/** More events than this in one body would hold the stream for too long. */
const mostEvents = 500

const words: Readonly<Record<WebhookContent, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain'
}

/** Throws unless the Content-Type is JSON, or another one that the platform declares. */
export function refuseOtherContent (
  contentType: string | undefined,
  { content = [] }: Pick<WebhookSource, 'content'>
): void {
  const found = contentOf(contentType)
  const allowed: readonly WebhookContent[] = ['json', ...content]
  if (found === undefined || !allowed.includes(found)) {
    throw new WebhookMalformedError(`Content-Type must be ${allowed.map(one => words[one]).join(' or ')}`)
  }
}

/** The parts of a delivery, each read once. */
interface Parts {
  body: unknown
  headers: ReadonlyMap<string, readonly string[]>
  query: URLSearchParams
  digestOfBody: Buffer
}

/** One event of a delivery, before it is translated. */
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

export function createSourceParser (check: CheckBody): ParseEvents {
  return function parseEvents (delivery, foreign) {
    const body = readBody(delivery)
    if (isOwnForm(body)) return [checked(body)]
    const parts: Parts = {
      body,
      headers: headersOf(delivery.rawHeaders),
      query: new URLSearchParams(delivery.query),
      digestOfBody: createHash('sha256').update(delivery.rawBody).digest()
    }
    return itemsOf(body, foreign.source).map((item, index) => checked(translate({ parts, item, index }, foreign)))
  }

  function checked (body: unknown): WebhookBody {
    const problems = check(body)
    if (problems.length > 0) throw malformed(problems)
    return body as WebhookBody
  }
}

/**
 * A signature does not cover the Content-Type. JSON under another one would lose its members, and
 * the event would be read from the places that are left.
 */
export function readBody ({ contentType, rawBody }: Pick<SourceDelivery, 'contentType' | 'rawBody'>): unknown {
  const content = contentOf(contentType)
  if (content === 'json') return parseJson(textOf(rawBody))
  if (rawBody.length === 0) return content === 'form' ? {} : undefined
  const text = textOf(rawBody)
  if (isJson(text)) throw new WebhookMalformedError('The body is JSON; its Content-Type must say so')
  return content === 'form' ? formOf(text) : undefined
}

function isJson (text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function formOf (text: string): unknown {
  const form = readForm(text)
  if (form === undefined) throw new WebhookMalformedError('The form is not UTF-8 in percent-encoding')
  return form
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

function translate (found: Found, { source, platformType, receivedAt, startsJob }: ForeignSource): object {
  const topic = textOfValue(find(found, source.topic, textOfValue)?.value)
  if (topic === undefined) throw missing('topic', source.topic, found, source)
  const eventType = eventTypeOf(topic, source)
  const needsObject = startsJob(eventType)
  const externalId = idOf(find(found, source.externalId, idOf)?.value)
  if (externalId === undefined && needsObject) throw missing('external id', source.externalId, found, source)
  const objectType = source.objectType && textOfValue(find(found, source.objectType, textOfValue)?.value)
  const category = eventType.split('.', 1)[0]
  return {
    schemaVersion: 1,
    eventId: eventIdOf(found, { source, platformType, topic, externalId }),
    eventType,
    occurredAt: occurredAtOf(found, source) ?? receivedAt.toISOString(),
    object: needsObject
      ? { type: objectType ?? category, externalId }
      : { type: category, externalId: usableId(externalId) }
  }
}

/** The hub keeps an event of an unknown topic under a type that starts no job. */
function eventTypeOf (topic: string, { eventTypes }: WebhookSource): string {
  if (eventTypes === undefined) return isEventType(topic) ? topic : unmappedType(topic)
  if (!Object.hasOwn(eventTypes, topic)) return unmappedType(topic)
  return eventTypes[topic] ?? unwantedType(topic)
}

/** An event that starts no job is accepted, whatever its object is. */
function usableId (externalId: string | undefined): string {
  return externalId !== undefined && /^[^\p{Cc}]{1,255}$/u.test(externalId) ? externalId : 'none'
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
  if (given === undefined) return `${platformType}-${hash([found.parts.digestOfBody, topic, externalId, place])}`
  const id = idOf(given.value)
  if (id === undefined) throw missing('id', source.eventId ?? [], found, source)
  const whole = id + place
  return eventId.test(whole) ? whole : `${platformType}-${hash([whole])}`
}

/** An id that is there and cannot be used is a fault; only a missing one has a replacement. */
function presence (value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : 'present'
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
  return new WebhookMalformedError(`The ${member} of the event is missing or is no text or exact number: ${
    names.join(' or ')
  }`)
}

function refusal (pointer: string, message: string): Error {
  return malformed([{ pointer, code: 'list', message }])
}
