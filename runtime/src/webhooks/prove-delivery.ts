import { signatureHeader, signWebhook, timestampHeader } from '@linker/sdk'
import { proveWebhook, type DescribedVerification, type WebhookProof } from '@linker/sdk/host'

/** The headers of every delivery that the hub sends, besides those that prove it. */
export const deliveryHeaders = { 'content-type': 'application/json' } as const

export interface Unproved {
  secret: string
  body: string
  /** The address of the connection's webhooks, without a query. */
  callbackUrl: string
  /** The host to which it is sent, if that is not the host of `callbackUrl`. */
  host?: string
  /** The headers and the query that hold parts of the event: a platform may sign them. */
  headers?: Readonly<Record<string, string>>
  query?: string
  now: Date
}

/** Thrown for a platform whose proof only a function of its adapter knows. */
export class UnknownProofError extends Error {
  override readonly message =
    'a function of the adapter verifies the webhooks of this platform, so the hub does not know how to prove one'
}

/** Proves a delivery as its platform does: as it declares, else with the hub's own headers. */
export function proveDelivery (
  { scheme, verify }: { scheme: 'hmac' | 'bearer', verify?: DescribedVerification | undefined },
  { secret, body, callbackUrl, host, headers = {}, query = '', now }: Unproved
): WebhookProof {
  const nowMs = now.getTime()
  if (verify?.kind === 'function') throw new UnknownProofError()
  if (verify !== undefined) {
    const sent = { ...headers, ...deliveryHeaders, ...host !== undefined && { host } }
    return proveWebhook(verify, { secret, rawBody: Buffer.from(body), callbackUrl, headers: sent, query, nowMs })
  }
  if (scheme === 'bearer') return { headers: { authorization: `Bearer ${secret}` }, query: {} }
  const timestamp = String(nowMs)
  const signature = signWebhook(secret, timestamp, body)
  return { headers: { [timestampHeader]: timestamp, [signatureHeader]: signature }, query: {} }
}
