import { platformTypePattern } from '@linker/sdk'
import { eventIdPattern } from '@linker/sdk/host/text'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Fields } from '../streams/port.ts'
import { DateTime, printable, uuidPattern } from '../text-patterns.ts'
import { describeProblem, requestIdOf, type Malformed } from './message.ts'
import { parseObject } from './parse-object.ts'

/** Version of the messages on the inbound stream, in their `metadataJson`. */
const schemaVersion = 1
const typePrefix = 'inbound.webhook.'

const Metadata = Type.Object({
  schemaVersion: Type.Literal(schemaVersion),
  provider: Type.String({ pattern: platformTypePattern }),
  connectionId: Type.String({ pattern: uuidPattern }),
  requestId: Type.Optional(Type.Unknown())
})

const ObjectReference = Type.Object({
  objectType: Type.String({ minLength: 1, maxLength: 200, pattern: printable }),
  externalId: Type.String({ minLength: 1, maxLength: 1023, pattern: printable })
})

const Envelope = Type.Object({
  eventId: Type.String({ pattern: eventIdPattern }),
  eventType: Type.String({ pattern: '^inbound\\.webhook\\.[^\\u0000-\\u001f\\u007f]+$', maxLength: 300 }),
  occurredAt: DateTime,
  publishedAt: DateTime,
  metadataJson: Type.String(),
  payloadJson: Type.String()
})

/** An event that the gate accepted, before it is written to the stream. */
export interface AcceptedEvent {
  provider: string
  connectionId: string
  /** The id of the HTTP request. The job and its upstream calls carry it too. */
  requestId?: string
  eventId: string
  /** As sent: `{category}.{action}`. */
  eventType: string
  occurredAt: string
  publishedAt: string
  objectType: string
  externalId: string
  /**
   * JSON text of the sender's `payload`, as received or written again; absent when none was sent.
   */
  payloadText?: string
}

/**
 * The six fields of a message on the inbound stream, in the order of the specification (section
 * 2.6).
 */
export function toInboundFields (event: AcceptedEvent): Fields {
  const { provider, connectionId, requestId } = event
  return {
    eventId: event.eventId,
    eventType: typePrefix + event.eventType,
    payloadJson: `{"objectType":${JSON.stringify(event.objectType)},"externalId":${
      JSON.stringify(event.externalId)
    },"payload":${event.payloadText ?? 'null'}}`,
    metadataJson: JSON.stringify({ schemaVersion, provider, connectionId, requestId }),
    occurredAt: event.occurredAt,
    publishedAt: event.publishedAt
  }
}

/**
 * A message of the inbound stream, read and checked. The sender's `payload` is left out: it is not
 * the source of truth.
 */
export type InboundMessage = Omit<AcceptedEvent, 'payloadText'>

/**
 * Reads a message of the inbound stream. Checks everything again, because anybody may write there.
 */
export function readInboundFields (fields: Fields): InboundMessage | Malformed {
  if (!Value.Check(Envelope, fields)) return describeProblem(Envelope, fields, '')
  const metadata = parseObject(fields.metadataJson)
  if (!Value.Check(Metadata, metadata)) return describeProblem(Metadata, metadata, 'metadataJson')
  const object = parseObject(fields.payloadJson)
  if (!Value.Check(ObjectReference, object)) return describeProblem(ObjectReference, object, 'payloadJson')
  if (!object.externalId.isWellFormed() || !object.objectType.isWellFormed()) {
    return { malformed: 'payloadJson: half of a surrogate pair' }
  }
  const { eventId, eventType, occurredAt, publishedAt } = fields
  const { provider, connectionId, requestId } = metadata
  const { objectType, externalId } = object
  return {
    provider,
    connectionId,
    ...requestIdOf(requestId),
    objectType,
    externalId,
    eventId,
    eventType: eventType.slice(typePrefix.length),
    occurredAt,
    publishedAt
  }
}
