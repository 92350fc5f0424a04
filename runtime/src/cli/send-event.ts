import type { AdapterDescription, WebhookProof } from '@linker/sdk/host'
import { escapeUnprintable } from '@linker/sdk/host/text'
import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import type { ConnectionView } from '../connections/schemas.ts'
import { callbackUrlOf } from '../webhooks/callback-url.ts'
import { deliveryHeaders, proveDelivery, UnknownProofError, type Unproved } from '../webhooks/prove-delivery.ts'
import { HubError } from './hub-client.ts'

/** The connection that an event is for. The config may be unknown. */
export type Target = Pick<ConnectionView, 'id' | 'platformType'> & Partial<Pick<ConnectionView, 'config'>>

export interface SentEvent {
  /** Default: a new one. */
  eventId: string | undefined
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
}

/** Sends an event to a hub as the platform would, in the form that every connection takes. */
export async function sendEvent ({ hub, target, secret, event, webhooks }: EventToSend): Promise<SendAnswer> {
  const now = new Date()
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId: event.eventId ?? randomUUID(),
    eventType: event.eventType,
    occurredAt: now.toISOString(),
    object: event.object,
    payload: event.payload
  })
  const address = `${hub}/webhooks/${encodeURIComponent(target.platformType)}/${encodeURIComponent(target.id)}`
  const { headers, query } = prove(webhooks, {
    secret,
    body,
    callbackUrl: signedAddress(target, address),
    host: new URL(address).host,
    now
  })
  const response = await request(address, {
    method: 'POST',
    query,
    headers: { ...headers, ...deliveryHeaders },
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
    isAccepted: response.statusCode < 300 && response.headers['x-linker-delivery-id'] !== undefined
  }
}

/** An ignored event has no job: only `linker deliveries show` knows its id. */
export function describeAnswer ({ status, deliveryId, ignored, text }: Omit<SendAnswer, 'isAccepted'>): string {
  return [
    `${status} ${deliveryId}`,
    ...(ignored === undefined ? [] : [
      `The hub accepted the event but ignored it (${escapeUnprintable(ignored)}): no job starts`,
      `  linker deliveries show ${deliveryId}`
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
