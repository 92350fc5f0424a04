import { signatureHeader, timestampHeader, verifyWebhook } from '@linker/sdk'
import type { IncomingHttpHeaders } from 'node:http'

export type Refusal =
  | 'missing-headers'
  | 'misconfigured'
  | 'bad-signature-format'
  | 'timestamp-out-of-window'
  | 'invalid-signature'

const windowMs = 300_000

/**
 * Returns the first check of the module that a call of the hub fails; undefined for a good call.
 */
export function refusalOfCall (
  { headers, body }: { headers: IncomingHttpHeaders, body: string },
  secret: string,
  now: Date
): Refusal | undefined {
  const timestamp = textOf(headers[timestampHeader.toLowerCase()])
  const signature = textOf(headers[signatureHeader.toLowerCase()])
  if (timestamp === '' || signature === '') return 'missing-headers'
  if (secret === '') return 'misconfigured'
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) return 'bad-signature-format'
  const sentAt = Number(timestamp)
  if (!(sentAt > 0) || Math.abs(now.getTime() - sentAt) > windowMs) return 'timestamp-out-of-window'
  return verifyWebhook(secret, timestamp, body, signature) ? undefined : 'invalid-signature'
}

function textOf (header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}
