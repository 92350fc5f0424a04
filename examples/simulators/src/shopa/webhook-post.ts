import { signatureHeader, signWebhook, timestampHeader } from '@linker/sdk'
import { Agent, request } from 'undici'
import type { OutboxRow } from './outbox.ts'
import { phpJsonEncode } from './php-json.ts'
import type { SenderConfiguration } from './sender-configuration.ts'

export type OutgoingEvent = Pick<
  OutboxRow,
  'eventId' | 'eventType' | 'objectType' | 'externalId' | 'occurredAt' | 'payloadJson'
>

/** The outcome of one request. Without `error`, the hub has answered 2xx. */
export interface Posted {
  statusCode?: number
  error?: string
}

export const provider = 'shopa'
const connectTimeoutMs = 5_000
const timeoutMs = 10_000
const shownBodyLength = 200

/** Makes a function that signs events and posts them to the hub. */
export function createWebhookPost () {
  // The shop opens a connection for every request. A kept one would fail after the hub restarts.
  const agent = new Agent({ pipelining: 0, connect: { timeout: connectTimeoutMs } })

  async function post (configuration: SenderConfiguration, event: OutgoingEvent, timestamp: string): Promise<Posted> {
    const { baseUrl, connectionId, secret } = configuration
    if (baseUrl === '' || connectionId === '' || secret === '') {
      return { error: 'the sender has no base address, connection id or secret' }
    }
    const body = encodeBody(event)
    try {
      const response = await request(`${baseUrl.replace(/\/+$/, '')}/webhooks/${provider}/${connectionId}`, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          [timestampHeader]: timestamp,
          [signatureHeader]: signWebhook(secret, timestamp, body)
        },
        body,
        signal: AbortSignal.timeout(timeoutMs)
      })
      const text = await response.body.text()
      const { statusCode } = response
      if (statusCode >= 200 && statusCode < 300) return { statusCode }
      const shown = text === '' ? '' : `: ${text.slice(0, shownBodyLength)}`
      return { statusCode, error: `HTTP ${statusCode}${shown}` }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  return { post, close: () => agent.destroy() }
}

/** Encodes the body to sign and send. It is empty if a text of the event is not valid Unicode. */
export function encodeBody (event: OutgoingEvent): string {
  const { eventId, eventType, occurredAt, objectType, externalId, payloadJson } = event
  const body = { schemaVersion: 1, eventId, eventType, occurredAt, object: { type: objectType, externalId } }
  return phpJsonEncode(payloadJson === undefined ? body : { ...body, payload: JSON.parse(payloadJson) }) ?? ''
}
