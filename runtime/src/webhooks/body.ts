import type { WebhookBodyForm } from '@linker/sdk'
import { compileOwnSchema, dateTimePattern, eventTypeForm, readBodyForm, type SchemaProblem } from '@linker/sdk/host'
import { findBeyondLimits, type TextRule } from '@linker/sdk/host/routes'
import { digitKeeper, eventIdPattern } from '@linker/sdk/host/text'
import { Type, type Static } from '@sinclair/typebox'
import { isUtf8 } from 'node:buffer'
import { parse } from 'secure-json-parse'
import { WebhookMalformedError } from '../errors.ts'
import { patternSentences } from '../http/pattern-sentences.ts'
import { describeDetails } from '../http/problem.ts'
import { printable } from '../text-patterns.ts'

const withoutControls = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$'

const wellFormed: TextRule = {
  code: 'unicode',
  message: 'contains half of a surrogate pair',
  allows: text => text.isWellFormed()
}

/**
 * Body of a delivery (specification, section 2.5). The hub ignores members that are not named here.
 * PHP senders write an empty `payload` as `[]`.
 */
export const WebhookBody = Type.Object({
  schemaVersion: Type.Literal(1),
  eventId: Type.String({ pattern: eventIdPattern }),
  eventType: Type.String(eventTypeForm),
  occurredAt: Type.String({ pattern: dateTimePattern, maxLength: 64, description: 'ISO 8601' }),
  object: Type.Object({
    type: Type.String({ pattern: withoutControls, maxLength: 100 }),
    externalId: Type.String({ pattern: withoutControls, maxLength: 255 })
  }),
  payload: Type
    .Optional(Type.Union([Type.Object({}), Type.Array(Type.Unknown())], {
      description: 'Not the source of truth: the job reads the platform'
    }))
})
export type WebhookBody = Static<typeof WebhookBody>

const oneLine = patternSentences.get(printable)

/** Words that say how the value at a pointer must look: few senders can read a pattern. */
const sentences: ReadonlyMap<string, string | undefined> = new Map([
  ['/eventId', patternSentences.get(eventIdPattern)],
  ['/eventType', 'must be lower-case words between dots, such as stock.changed'],
  ['/occurredAt', 'must be a date and a time with its offset, such as 2026-01-31T12:00:00Z'],
  ['/object/type', oneLine],
  ['/object/externalId', oneLine]
])

/** Returns the problems of an event in the hub's form, in words. */
export type CheckBody = (body: unknown) => SchemaProblem[]

export function createBodyCheck (): CheckBody {
  const check = compileOwnSchema(WebhookBody)
  return body => {
    const { problems } = check(body)
    const ofPayload = problems.find(({ pointer }) => pointer === '/payload')
    return [
      ...problems.filter(({ pointer }) => pointer !== '/payload').map(inWords),
      // Each form that the hub accepts would be a problem of its own.
      ...ofPayload === undefined ? [] : [{ ...ofPayload, message: 'must be an object, or left out' }]
    ]
  }
}

/** The rules for reading a body in a platform's own form. */
export interface ForeignBody {
  form: WebhookBodyForm
  platformType: string
  receivedAt: Date
  /** As in `readBodyForm`. */
  occasion: string
}

/**
 * `foreign` tells how to read a body in a platform's own form, which has no member `schemaVersion`.
 */
export type ParseBody = (raw: Buffer, foreign?: ForeignBody) => WebhookBody

/**
 * Makes the parser of authenticated bodies. The parser refuses with a 400, and names a wrong value
 * by its JSON pointer.
 */
export function createBodyParser (check: CheckBody = createBodyCheck()): ParseBody {
  return function parseBody (raw, foreign) {
    const value = parseJson(textOf(raw))
    const form = foreign === undefined || isOwnForm(value) ? undefined : foreign
    const body = form === undefined ? value : translate(value, raw, form)
    const problems = check(body)
    if (problems.length > 0) {
      throw malformed(form === undefined ? problems : problems.map(problem => inPlace(problem, form)))
    }
    return body as WebhookBody
  }
}

/**
 * Translates a body from a platform's own form into the hub's form; the caller checks the result.
 * It has no payload: a whole order holds personal data, and streams and logs would keep it.
 */
function translate (body: unknown, rawBody: Buffer, foreign: ForeignBody): object {
  const { form, platformType, receivedAt, occasion } = foreign
  const { eventId, eventType, objectType, externalId, occurredAt } = readBodyForm(
    { body, rawBody, occasion },
    form,
    platformType
  )
  return {
    schemaVersion: 1,
    eventId,
    eventType,
    occurredAt: occurredAt ?? receivedAt.toISOString(),
    object: { type: objectType, externalId }
  }
}

function isOwnForm (value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'schemaVersion')
}

function inWords (problem: SchemaProblem): SchemaProblem {
  const message = problem.code === 'pattern' ? sentences.get(problem.pointer) : undefined
  return message === undefined ? problem : { ...problem, message }
}

/** Points into the body that the sender sent, not into the hub's translation of it. */
function inPlace (problem: SchemaProblem, { form }: ForeignBody): SchemaProblem {
  return problem.pointer === '/object/externalId' ? { ...problem, pointer: form.externalId } : problem
}

/** Reads a body as text. Refuses every body that a sender has encoded wrongly. */
export function textOf (raw: Buffer): string {
  if (raw.length === 0) {
    throw new WebhookMalformedError('The body is empty. Check whether the sender failed to encode its text as JSON')
  }
  if (!isUtf8(raw)) throw new WebhookMalformedError('The body is not UTF-8')
  const text = raw.toString('utf8')
  // RFC 8259 forbids senders to write a byte order mark, and the parser would drop it silently.
  if (text.startsWith('\ufeff')) throw new WebhookMalformedError('The body starts with a byte order mark')
  return text
}

/** Parses JSON that holds nothing which JavaScript or the database could not keep. */
export function parseJson (text: string): unknown {
  const value = parseSafely(text)
  const faults = findBeyondLimits(value, wellFormed, 1)
  if (faults.length > 0) throw malformed(faults)
  return value
}

function parseSafely (text: string): unknown {
  try {
    return parse(text, digitKeeper(text), { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    const isForbidden = error instanceof SyntaxError && error.message.includes('forbidden')
    throw new WebhookMalformedError(isForbidden
      ? 'The body contains a member that would change a prototype'
      : 'The body is not JSON')
  }
}

export function malformed (problems: readonly SchemaProblem[]): Error {
  return Object.assign(new WebhookMalformedError(describeDetails(problems)), { errors: problems })
}
