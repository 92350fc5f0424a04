import type { WebhookSource } from '@linker/sdk'
import {
  contentOf,
  readForm,
  readSource,
  UnreadableEvents,
  valueAt,
  type SourceEvent,
  type SourceRules,
  type WebhookContent
} from '@linker/sdk/host'
import { WebhookMalformedError } from '../errors.ts'
import { unmappedType, unwantedType } from '../events/unmapped-topics.ts'
import { malformed, parseJson, textOf, type CheckBody, type WebhookBody } from './body.ts'

/** The parts of a delivery that may hold its events. */
export interface SourceDelivery {
  contentType: string | undefined
  /** Names and values in turn. */
  rawHeaders: readonly string[]
  query: string
  rawBody: Buffer
  /** As in `readSource`. */
  occasion: string
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

export function createSourceParser (check: CheckBody): ParseEvents {
  return function parseEvents (delivery, foreign) {
    const body = readBody(delivery)
    if (isOwnForm(body)) return [checked(body)]
    return eventsOf(body, delivery, foreign).map(event => checked(translate(event, foreign)))
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

function eventsOf (body: unknown, delivery: SourceDelivery, foreign: ForeignSource): SourceEvent[] {
  const { source, platformType, startsJob } = foreign
  const needsObject: SourceRules['needsObject'] = event => startsJob(typeOf(event))
  try {
    return readSource({ ...delivery, body }, { source, platformType, needsObject })
  } catch (error) {
    if (!(error instanceof UnreadableEvents)) throw error
    const { pointer, message } = error
    throw pointer === undefined
      ? new WebhookMalformedError(message)
      : malformed([{ pointer, code: 'list', message }])
  }
}

/** The hub keeps an event of an unknown topic under a type that starts no job. */
function typeOf ({ topic, eventType }: Pick<SourceEvent, 'topic' | 'eventType'>): string {
  return eventType ?? (eventType === null ? unwantedType(topic) : unmappedType(topic))
}

function translate (event: SourceEvent, { receivedAt, startsJob }: ForeignSource): object {
  const { eventId, occurredAt, objectType, externalId } = event
  const eventType = typeOf(event)
  const category = eventType.split('.', 1)[0]
  return {
    schemaVersion: 1,
    eventId,
    eventType,
    occurredAt: occurredAt ?? receivedAt.toISOString(),
    object: startsJob(eventType)
      ? { type: objectType ?? category, externalId }
      : { type: category, externalId: usableId(externalId) }
  }
}

/** An event that starts no job is accepted, whatever its object is. */
function usableId (externalId: string | undefined): string {
  return externalId !== undefined && /^[^\p{Cc}]{1,255}$/u.test(externalId) ? externalId : 'none'
}
