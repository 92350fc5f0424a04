import { signatureHeader, signWebhook, timestampHeader, type HttpClientFactory } from '@linker/sdk'
import { createValueRedactor } from '@linker/sdk/host'
import type { Channel } from './channel.ts'
import { bodyOf } from './message.ts'

export interface WebhookChannelOptions {
  url: string
  secret: string
  http: HttpClientFactory
  now: () => Date
}

const timeoutMs = 10_000
const maxResponseBytes = 65_536

/**
 * Sends messages to an address of the operator, signed as the hub's own webhooks are: a receiver
 * verifies them with `verifyWebhook` of the SDK. Any 2xx means that it has taken the message.
 */
export function createWebhookChannel ({ url, secret, http, now }: WebhookChannelOptions): Channel {
  const { origin, pathname, search, searchParams } = new URL(url)
  // Many receivers know their sender only by the address.
  const hidden = [secret, search.slice(1), ...pathname.split('/')].filter(text => text.length >= 8)
  const redact = createValueRedactor(hidden)

  return {
    name: 'webhook',
    async send (message) {
      const body = bodyOf(message)
      // The time of the signature, not of the message: a receiver refuses old ones.
      const timestamp = String(now().getTime())
      const client = http({ baseUrl: origin, timeoutMs, retries: 0, maxResponseBytes })
      try {
        await client.request({
          method: 'POST',
          path: pathname,
          query: Object.fromEntries([...searchParams.keys()].map(name => [name, searchParams.getAll(name)])),
          headers: {
            'content-type': 'application/json',
            'x-request-id': message.id,
            [timestampHeader]: timestamp,
            [signatureHeader]: signWebhook(secret, timestamp, body)
          },
          body
        })
      } catch (error) {
        throw new Error(String(redact(error instanceof Error ? error.message : String(error))), {
          cause: redact(error)
        })
      }
    }
  }
}
