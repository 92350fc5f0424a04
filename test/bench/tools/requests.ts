import { createSigningKey, signWebhook } from '@linker/sdk'
import { randomUUID } from 'node:crypto'

export interface RequestsOptions {
  host: string
  connectionIds: readonly string[]
  secret: string
  count: number
  bodyBytes: number
  eventType?: string
  provider?: string
  /** Default: the position of the request. */
  externalIdOf?: (index: number) => string
  /** When they are signed. Default: now. */
  nowMs?: number
}

/**
 * Makes signed webhooks as whole HTTP requests, each with its own event id, spread over the
 * connections. They are all signed at once, so send them within the time window.
 */
export function prepareRequests (options: RequestsOptions): Buffer[] {
  const { host, connectionIds, secret, count, bodyBytes, eventType = 'test.bench', provider = 'shopa' } = options
  const { externalIdOf = String, nowMs = Date.now() } = options
  const key = createSigningKey(secret)
  const timestamp = String(nowMs)
  const occurredAt = new Date(nowMs).toISOString()
  const padding = 'x'.repeat(Math.max(0, bodyBytes - 230))
  return Array.from({ length: count }, (_, index) => {
    const body = JSON.stringify({
      schemaVersion: 1,
      eventId: randomUUID(),
      eventType,
      occurredAt,
      object: { type: 'product', externalId: externalIdOf(index) },
      payload: { padding }
    })
    const connectionId = connectionIds[index % connectionIds.length] ?? ''
    const head = [
      `POST /webhooks/${provider}/${connectionId} HTTP/1.1`,
      `host: ${host}`,
      'content-type: application/json',
      `x-linker-timestamp: ${timestamp}`,
      `x-linker-signature: ${signWebhook(key, timestamp, body)}`,
      `content-length: ${body.length}`
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}
