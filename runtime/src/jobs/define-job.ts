import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { printable, uuidPattern } from '../text-patterns.ts'
import type { JobRequest, JobType, Lane } from './job.ts'

/** Id of one of our own rows, in a payload. */
export const Id = Type.String({ pattern: uuidPattern })

/**
 * Payload of every job that names one object of a platform. More members may be there: those of the
 * webhook.
 */
export const ExternalObject = Type.Object({
  externalId: Type.String({ minLength: 1, maxLength: 1023, pattern: printable })
})

/**
 * When the hub received the webhook that led to a job about stock. Figures measure from this time
 * until the stock is written; a job that no webhook led to has none.
 */
export const ReceivedAt = Type.Optional(Type.String())

/** Why a job is asked for, and for whom. */
export interface Occasion {
  connectionId: string | null
  /**
   * The idempotency key. It names the occasion, because several may ask for the same job: an event,
   * an operator and a sweep may each ask for a reading of one order.
   */
  key: string
  requestId?: string | undefined
  delayMs?: number | undefined
}

/** A job type of the core. `handlers/` implements it; nobody else writes its name. */
export interface JobDefinition<Payload extends TSchema = TSchema> extends JobType {
  type: string
  payload: Payload
  /** The connection needs one of these capabilities, unless the list is empty. */
  needs: readonly string[]
  /** Makes a request for one run. */
  request(payload: Static<Payload>, occasion: Occasion): JobRequest
}

export interface JobOptions<Payload extends TSchema> {
  type: string
  lane: Lane
  /**
   * Names the object that two runs must not work on at once: a member of the payload, the
   * connection, or the payload as a whole.
   */
  object: keyof Static<Payload> & string | 'connection' | 'payload'
  payload: Payload
  needs?: readonly string[]
}

/** Defines a job type in the folder whose noun it is about. */
export function defineJob<
  Payload extends TSchema
> ({ type, lane, object, payload, needs = [] }: JobOptions<Payload>): JobDefinition<Payload> {
  return {
    type,
    lane,
    payload,
    needs,
    objectKey: objectKeyOf(object),
    request: (given, { connectionId, key, requestId, delayMs }) => ({
      jobType: type,
      connectionId,
      payload: given as JobRequest['payload'],
      idempotencyKey: key,
      requestId,
      delayMs
    })
  }
}

function objectKeyOf (object: string): JobType['objectKey'] {
  if (object === 'connection') return ({ connectionId }) => connectionId ?? ''
  const ofPayload: JobType['objectKey'] = ({ connectionId, payload }) =>
    `${connectionId ?? ''}:${JSON.stringify(payload)}`
  if (object === 'payload') return ofPayload
  return request => {
    const named = request.payload[object]
    // Two jobs that name no object and differ in their payloads must not stand for each other.
    return named === undefined ? ofPayload(request) : `${request.connectionId ?? ''}:${String(named)}`
  }
}

/** A job type of an adapter: it brings one external object up to date. */
export function adapterJobType (): JobType {
  return { lane: 'state', objectKey: objectKeyOf('externalId') }
}
