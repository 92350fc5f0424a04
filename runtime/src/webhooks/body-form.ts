import type { WebhookBodyForm } from '@linker/sdk'
import { valueAt } from '@linker/sdk/host'
import { createHash } from 'node:crypto'
import { eventIdPattern } from '../text-patterns.ts'

// ISO 8601 with a time; PHP writes the offset with or without its colon.
export const dateTimePattern = '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])[Tt ' +
  '](?:[01]\\d|2[0-3]):[0-5]\\d(?::(?:[0-5]\\d|60)(?:[.,]\\d{1,9})?)?(?:[Zz]|[+-]\\d\\d(?::?\\d\\d)?)?$'

/** The rules for reading a body in a platform's own form. */
export interface ForeignBody {
  form: WebhookBodyForm
  platformType: string
  receivedAt: Date
}

const missing = 'none'
export const eventId = new RegExp(eventIdPattern)
const dateTime = new RegExp(dateTimePattern)

/**
 * Translates a body from a platform's own form into the hub's form; the caller checks the result.
 * The event's id does not contain the time of arrival, so the same body sent twice is one event.
 * The payload holds only the members that tell the states of the object apart: a whole order holds
 * personal data, and streams and logs would keep it.
 */
export function translate (body: unknown, { form, platformType, receivedAt }: ForeignBody): object {
  const externalId = idOf(valueAt(body, form.externalId))
  const revision = form.revision.map(pointers => firstOf([pointers].flat(), pointer => textAt(body, pointer)))
  return {
    schemaVersion: 1,
    eventId: givenId(body) ?? `${platformType}-${hash([externalId, ...revision])}`,
    eventType: form.eventType,
    occurredAt: firstOf(form.occurredAt ?? [], pointer => timeAt(body, pointer)) ?? receivedAt.toISOString(),
    object: { type: form.objectType, externalId },
    payload: { externalId, revision: revision.map(value => value ?? null) }
  }
}

function givenId (body: unknown): string | undefined {
  const given = valueAt(body, '/eventId')
  return typeof given === 'string' && eventId.test(given) ? given : undefined
}

function hash (values: readonly (string | undefined)[]): string {
  return createHash('sha256').update(values.map(value => value ?? missing).join(':')).digest('hex').slice(0, 32)
}

/**
 * The parser rounds a number that is too large to be exact, so the rounded number may be the id of
 * another object.
 */
export function idOf (value: unknown): string | undefined {
  if (typeof value === 'boolean') return undefined
  return typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : textOf(value)
}

function textAt (body: unknown, pointer: string): string | undefined {
  return textOf(valueAt(body, pointer))
}

export function textOf (value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function timeAt (body: unknown, pointer: string): string | undefined {
  return timeOf(valueAt(body, pointer))
}

/** Platforms that leave the offset out mean UTC. */
export function timeOf (value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64 || !dateTime.test(value)) return undefined
  return /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(value.slice('2026-01-31'.length)) ? value : `${value}Z`
}

function firstOf (pointers: readonly string[], read: (pointer: string) => string | undefined): string | undefined {
  for (const pointer of pointers) {
    const value = read(pointer)
    if (value !== undefined) return value
  }
  return undefined
}
