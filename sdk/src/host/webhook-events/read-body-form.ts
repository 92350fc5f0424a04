import type { WebhookBodyForm } from '../../webhooks.ts'
import { valueAt } from '../pointer.ts'
import { isEventId } from './event-id.ts'
import type { SourceDelivery } from './read-source.ts'
import { idOf, makeEventId, timeOf } from './values.ts'

/** The event of a body in a platform's own form. */
export interface BodyEvent {
  eventId: string
  eventType: string
  objectType: string
  /** Undefined: the body has none that can be used. */
  externalId: string | undefined
  occurredAt: string | undefined
}

/** Reads a body that `webhooks.body` describes. */
export function readBodyForm (
  { body, rawBody, occasion }: Pick<SourceDelivery, 'body' | 'rawBody' | 'occasion'>,
  form: WebhookBodyForm,
  platformType: string
): BodyEvent {
  const given = valueAt(body, '/eventId')
  return {
    eventId: isEventId(given) ? given : makeEventId(platformType, `${occasion.length}:${occasion}`, rawBody),
    eventType: form.eventType,
    objectType: form.objectType,
    externalId: idOf(valueAt(body, form.externalId)),
    occurredAt: firstTimeOf(body, form)
  }
}

function firstTimeOf (body: unknown, { occurredAt = [] }: WebhookBodyForm): string | undefined {
  for (const pointer of occurredAt) {
    const value = timeOf(valueAt(body, pointer))
    if (value !== undefined) return value
  }
  return undefined
}
