import { createSigningKey, type WebhookVerification } from '@linker/sdk'
import { createVerifier, type ReceivedWebhook } from '@linker/sdk/host'

export const nowMs = 1_735_729_231_000

/** A delivery as a test sends it. */
export interface Sent extends Partial<Omit<ReceivedWebhook, 'rawHeaders' | 'rawBody'>> {
  /** Name and value of each header, in the order sent. */
  headers?: readonly (readonly [string, string])[]
  body: string | Buffer
}

/** Returns `accepted`, or the reason and the words of the refusal. */
export function judge (
  declared: WebhookVerification,
  { headers = [], body, ...sent }: Sent,
  ...secrets: string[]
): string {
  const received = { method: 'POST', query: '', callbackUrl: undefined, nowMs, skewMs: 300_000, ...sent }
  try {
    createVerifier(declared)(
      { ...received, rawHeaders: headers.flat(), rawBody: Buffer.from(body) },
      secrets.map(createSigningKey)
    )
    return 'accepted'
  } catch (error) {
    const { reason, message } = error as { reason: string, message: string }
    return `${reason}: ${message}`
  }
}
