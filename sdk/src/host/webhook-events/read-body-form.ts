import type { WebhookBodyForm } from '../../webhooks.ts'
import { valueAt } from '../pointer.ts'
import { isEventId } from './event-id.ts'
import { idOf, makeEventId, textOf, timeOf } from './values.ts'

/** The event of a body in a platform's own form. */
export interface BodyEvent {
  /** It does not contain the time of arrival, so the same body sent twice is one event. */
  eventId: string
  eventType: string
  objectType: string
  /** Undefined: the body has none that can be used. */
  externalId: string | undefined
  occurredAt: string | undefined
  /** The members that tell the states of the object apart. */
  revision: readonly (string | undefined)[]
}

/** Reads a body that `webhooks.body` describes. */
export function readBodyForm (body: unknown, form: WebhookBodyForm, platformType: string): BodyEvent {
  const externalId = idOf(valueAt(body, form.externalId))
  const revision = form.revision.map(pointers => firstOf([pointers].flat(), pointer => textOf(valueAt(body, pointer))))
  const given = valueAt(body, '/eventId')
  const identity = [externalId, ...revision].map(value => value ?? 'none').join(':')
  return {
    eventId: isEventId(given) ? given : makeEventId(platformType, identity),
    eventType: form.eventType,
    objectType: form.objectType,
    externalId,
    occurredAt: firstOf(form.occurredAt ?? [], pointer => timeOf(valueAt(body, pointer))),
    revision
  }
}

function firstOf (pointers: readonly string[], read: (pointer: string) => string | undefined): string | undefined {
  for (const pointer of pointers) {
    const value = read(pointer)
    if (value !== undefined) return value
  }
  return undefined
}
