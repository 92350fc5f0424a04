import { signWebhook, createSigningKey } from '@linker/sdk'
import { randomUUID } from 'node:crypto'

export interface RequestsOptions {
  host: string
  connectionIds: readonly string[]
  secret: string
  count: number
  bodyBytes: number
  eventType?: string
}

/**
 * Signed webhooks as whole HTTP requests, each with an event id of its own, spread over the
 * connections. Signed beforehand, within the time window.
 */
export function prepareRequests ({ host, connectionIds, secret, count, bodyBytes, eventType = 'test.bench' }:
  RequestsOptions): Buffer[]
{
  const key = createSigningKey(secret)
  const timestamp = String(Date.now())
  const occurredAt = new Date().toISOString()
  const padding = 'x'.repeat(Math.max(0, bodyBytes - 230))
  return Array.from({ length: count }, (_, index) => {
    const body =
      `{"schemaVersion":1,"eventId":"${randomUUID()}","eventType":"${eventType}","occurredAt":"${occurredAt}","object":{"type":"product","externalId":"${index}"},"payload":{"padding":"${padding}"}}`
    const connectionId = connectionIds[index % connectionIds.length] ?? ''
    return Buffer
      .from(`POST /webhooks/shopa/${connectionId} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\nx-linker-timestamp: ${timestamp}\r\nx-linker-signature: ${
        signWebhook(key, timestamp, body)
      }\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  })
}
