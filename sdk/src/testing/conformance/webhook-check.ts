import { randomBytes } from 'node:crypto'
import type { ReceivedWebhook } from '../../host/verify/received.ts'
import { createWebhookSecret } from '../../host/verify/secret.ts'
import { createVerifier } from '../../host/verify/verifier.ts'
import { createSigningKey } from '../../webhook-signature.ts'
import type { WebhookVerification } from '../../webhooks.ts'
import type { Check } from './check.ts'
import { findings } from './finding.ts'
import { settingsFile, type SampleDelivery } from './settings.ts'

export const webhookCheck: Check = {
  id: 'L1-SHP-09',
  level: 1,
  needs: 'verification',
  title: `webhooks.verify accepts the deliveries of ${settingsFile}, and none with another secret`,
  prevents: 'the hub refused every webhook of the platform, because the declaration named another header or encoding',
  async run ({ settings: { settings }, imported }) {
    const verify = (await imported()).report?.description?.webhooks?.verify
    const { deliveries = [] } = settings
    if (verify === undefined) return []
    if (deliveries.length === 0) {
      return findings([`${settingsFile} has no deliveries: add one of the platform's documentation, with its secret`])
    }
    return findings(deliveries.flatMap((delivery, index) => faultsOf(verify, delivery, index)))
  }
}

function faultsOf (declared: WebhookVerification, delivery: SampleDelivery, index: number): string[] {
  const { secret } = delivery
  const received = toReceived(delivery)
  const refusal = refusalOf(declared, received, secret)
  const isOpen = refusalOf(declared, received, createWebhookSecret(randomBytes, declared)) === undefined
  return [
    ...refusal === undefined ? [] : [`deliveries/${index} is refused: ${refusal}`],
    ...isOpen ? [`deliveries/${index} is accepted with any secret`] : []
  ]
}

/** Returns why a delivery is refused with a secret; undefined: it is accepted. */
export function refusalOf (
  declared: WebhookVerification,
  received: ReceivedWebhook,
  secret: string
): string | undefined {
  try {
    createVerifier(declared)(received, [createSigningKey(secret)])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'the verification failed'
  }
}

export function toReceived ({ method = 'POST', query = '', callbackUrl, headers = {}, body = '', at }: Partial<
  SampleDelivery
>): ReceivedWebhook {
  return {
    method,
    query,
    callbackUrl,
    rawHeaders: Object.entries(headers).flat(),
    rawBody: Buffer.from(body),
    nowMs: at === undefined ? Date.now() : Date.parse(at),
    skewMs: 300_000
  }
}
