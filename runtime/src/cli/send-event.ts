import type { AdapterDescription, WebhookProof } from '@linker/sdk/host'
import { escapeUnprintable } from '@linker/sdk/host/text'
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import type { ConnectionView } from '../connections/schemas.ts'
import { callbackUrlOf } from '../webhooks/callback-url.ts'
import type { Ignored } from '../webhooks/gate.ts'
import { deliveryHeaders, proveDelivery, UnknownProofError, type Unproved } from '../webhooks/prove-delivery.ts'
import { writeDelivery, type WrittenDelivery } from '../webhooks/write-delivery.ts'
import { HubError } from './hub-client.ts'

const unwanted: Ignored = 'unwanted-event-type'

/** The connection that an event is for. The config may be unknown. */
export type Target = Pick<ConnectionView, 'id' | 'platformType'> & Partial<Pick<ConnectionView, 'config'>>

export interface SentEvent {
  /** Default: a new one. */
  eventId: string | undefined
  /** An event type of the hub, or a topic of the platform. */
  eventType: string
  object: { type: string, externalId: string }
  payload: unknown
}

export interface EventToSend {
  /** The address of the hub. */
  hub: string
  target: Target
  secret: string
  event: SentEvent
  /** How the adapter authenticates webhooks. Undefined: the hub's own way is used. */
  webhooks: AdapterDescription['webhooks']
}

export interface SendAnswer {
  status: number
  deliveryId: string
  /** Why the event starts no job. */
  ignored: string | undefined
  text: string
  isAccepted: boolean
  /** Says in which form it was sent, if the adapter declares one of its platform. */
  form: string | undefined
}

/**
 * Sends an event to a hub as the platform would: in the form that the adapter declares, else in the
 * form that every connection takes.
 */
export async function sendEvent ({ hub, target, secret, event, webhooks }: EventToSend): Promise<SendAnswer> {
  const now = new Date()
  const { written, form } = writeEvent(webhooks, { ...event, eventId: event.eventId ?? randomUUID(), occurredAt: now })
  const { body } = written
  const query = new URLSearchParams(written.query).toString()
  const address = `${hub}/webhooks/${encodeURIComponent(target.platformType)}/${encodeURIComponent(target.id)}`
  const proof = prove(webhooks, {
    secret,
    body,
    callbackUrl: signedAddress(target, address),
    host: new URL(address).host,
    headers: written.headers,
    query,
    now
  })
  // The query of the event first, as it was signed.
  const sent = [query, new URLSearchParams(proof.query).toString()].filter(part => part !== '').join('&')
  const response = await request(sent === '' ? address : `${address}?${sent}`, {
    method: 'POST',
    headers: { ...written.headers, ...proof.headers, ...deliveryHeaders },
    body
  }).catch((error: unknown) => {
    throw new HubError(`${address} does not answer (${error instanceof Error ? error.message : String(error)})`)
  })
  return {
    status: response.statusCode,
    deliveryId: String(response.headers['x-linker-delivery-id'] ?? ''),
    ignored: response.headers['x-linker-ignored']?.toString(),
    text: await response.body.text(),
    // A platform may insist on another status than 202; only a hub sends the header.
    isAccepted: response.statusCode < 300 && response.headers['x-linker-delivery-id'] !== undefined,
    form
  }
}

/** Writes an event in the form of its platform if there is one for it, else in the hub's own. */
export function writeEvent (
  webhooks: EventToSend['webhooks'],
  event: SentEvent & { eventId: string, occurredAt: Date }
): { written: Omit<WrittenDelivery, 'topic'>, form: string | undefined } {
  const foreign = writeDelivery(webhooks ?? {}, event)
  if (foreign !== undefined) {
    const { topic } = foreign
    return { written: foreign, form: `in the form of the platform${topic === undefined ? '' : `, topic ${topic}`}` }
  }
  const { eventId, eventType, object, payload } = event
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId,
    eventType,
    occurredAt: event.occurredAt.toISOString(),
    object,
    payload
  })
  return { written: { headers: {}, query: {}, body }, form: describeOwnForm(webhooks, eventType) }
}

function describeOwnForm (webhooks: EventToSend['webhooks'], eventType: string): string | undefined {
  if (webhooks === undefined) {
    return "in the hub's own form and signed with its own headers: no adapter of this project that can be loaded " +
      'declares webhooks of the platform'
  }
  if (webhooks.source === undefined && webhooks.body === undefined) return undefined
  return `in the hub's own form: the adapter maps nothing of the platform to ${eventType}, so this tests the proof ` +
    'and the job, and not where the adapter finds its events'
}

/**
 * An ignored event has no job: only `linker deliveries show` knows its id, and nobody knows that of
 * an event that the adapter does not want.
 */
export function describeAnswer ({ status, deliveryId, ignored, text, form }: Omit<SendAnswer, 'isAccepted'>): string {
  return [
    `${status} ${deliveryId}`,
    ...(form === undefined ? [] : [`sent ${escapeUnprintable(form)}`]),
    ...(ignored === undefined ? [] : [
      `The hub accepted the event but ignored it (${escapeUnprintable(ignored)}): no job starts`,
      ...(ignored === unwanted ? [] : [`  linker deliveries show ${deliveryId}`])
    ]),
    ...(text === '' ? [] : [text])
  ].join('\n')
}

/**
 * Returns the address that a platform may sign: the public one of the connection. `address`, to
 * which the command sends, may be another one, and counts when the config is not known or has none.
 */
export function signedAddress ({ config = {}, ...connection }: Target, address: string): string {
  const { callbackBaseUrl } = config
  return callbackBaseUrl === undefined || callbackBaseUrl === '' ? address : callbackUrlOf({ ...connection, config })
}

/**
 * Proves the event as the adapter declares. Without an adapter it signs, as the shop's module does.
 */
function prove (
  { verify, scheme = 'hmac' }: Partial<NonNullable<AdapterDescription['webhooks']>> = {},
  unproved: Unproved
): WebhookProof {
  try {
    return proveDelivery({ scheme, verify }, unproved)
  } catch (error) {
    throw error instanceof UnknownProofError ? new HubError(error.message) : error
  }
}
