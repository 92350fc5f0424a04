import { randomBytes } from 'node:crypto'
import type { ReceivedWebhook } from '../../host/verify/received.ts'
import { createWebhookSecret } from '../../host/verify/secret.ts'
import { createVerifier } from '../../host/verify/verifier.ts'
import { createSigningKey } from '../../webhook-signature.ts'
import type { WebhookVerification } from '../../webhooks.ts'
import type { Check } from './check.ts'
import { findings, type Finding } from './finding.ts'
import { judgementIds } from './plan.ts'
import type { Outcome } from './protocol.ts'
import { toReceived } from './sample-requests.ts'
import { settingsFile, type SampleDelivery } from './settings.ts'
import type { Subject } from './subject.ts'

export const webhookCheck: Check = {
  id: 'L1-SHP-09',
  level: 1,
  needs: 'verification',
  title: `webhooks.verify accepts the deliveries of ${settingsFile}, and no forged ones`,
  prevents: 'the hub refused every webhook of the platform, because the declaration named another header or encoding',
  async run (subject) {
    const { settings: { settings }, imported } = subject
    const verify = (await imported()).report?.description?.webhooks?.verify
    const { deliveries = [] } = settings
    if (verify === undefined) return []
    if (deliveries.length === 0) {
      return findings([`${settingsFile} has no deliveries: add one of the platform's documentation, with its secret`])
    }
    if (verify.kind === 'function') return judgedFaults(subject, deliveries.length)
    return findings(deliveries.flatMap((delivery, index) => faultsOf(verify, delivery, index)))
  }
}

/** A function that knows the platform by a public key accepts any secret, but no other body. */
async function judgedFaults ({ judged }: Subject, count: number): Promise<Finding[]> {
  const { report, failure } = await judged()
  if (failure !== undefined) return [{ message: failure.message }]
  const outcomes = new Map((report?.results ?? []).flatMap(result => result.outcomes).map(one => [one.id, one]))
  return findings(Array.from({ length: count }, (_, index) => {
    const { genuine, otherSecret, otherBody } = judgementIds(index)
    const faults = [genuine, otherSecret, otherBody].flatMap(id => describeOutcome(outcomes.get(id)) ?? [])
    if (faults.length > 0) return faults.slice(0, 1).map(fault => `deliveries/${index} gets no verdict: ${fault}`)
    const isGenuine = (id: string): boolean => outcomes.get(id)?.value === true
    return [
      ...isGenuine(genuine) ? [] : [`deliveries/${index} is refused`],
      ...isGenuine(otherSecret) && isGenuine(otherBody)
        ? [`deliveries/${index} is accepted with any secret and another body`]
        : []
    ]
  }).flat())
}

/** Returns why an outcome is no verdict. */
function describeOutcome (outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined || outcome.wasStopped) return 'the function does not end'
  if (outcome.error !== undefined) return `the function throws: ${outcome.error.message}`
  return typeof outcome.value === 'boolean'
    ? undefined
    : `the function answers ${typeof outcome.value}, not true or false`
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
