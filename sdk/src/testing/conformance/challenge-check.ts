import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  answerChallenge,
  findChallenge,
  type ChallengeAnswer,
  type ReceivedChallenge
} from '../../host/answer-challenge.ts'
import type { WebhooksDescription } from '../../host/describe.ts'
import { createWebhookSecret } from '../../host/verify/secret.ts'
import { isProvedChallenge } from '../../host/webhook-challenges.ts'
import { createSigningKey, signatureHeader, timestampHeader } from '../../webhook-signature.ts'
import type { WebhookSource, WebhookVerification } from '../../webhooks.ts'
import type { Check } from './check.ts'
import { findings } from './finding.ts'
import { describeOtherContent, parsed, readBody, toReceived } from './sample-requests.ts'
import { settingsFile, type SampleChallenge } from './settings.ts'
import { refusalOf } from './webhook-check.ts'

export const challengeCheck: Check = {
  id: 'L1-SHP-10',
  level: 1,
  needs: 'challenges',
  title: `webhooks.challenges answers the requests of ${settingsFile} as the platform expects`,
  prevents: 'the platform never sent a webhook, because its check of the address got another answer',
  async run ({ settings: { settings }, imported }) {
    const webhooks = (await imported()).report?.description?.webhooks
    const { challenges = [], deliveries = [], config = {} } = settings
    if (webhooks === undefined) return []
    if (challenges.length === 0) {
      return findings([`${settingsFile} has no challenges: add one of the platform's documentation, with its answer`])
    }
    const declared = webhooks.challenges ?? []
    const tried = new Set(challenges.map(sample => challengeOf(webhooks, sample)))
    return findings([
      ...challenges.flatMap((sample, index) =>
        faultsOf(webhooks, sample, config).map(fault => `challenges/${index} ${fault}`)
      ),
      ...declared.flatMap((challenge, index) =>
        tried.has(challenge)
          ? []
          : [`webhooks.challenges[${index}] has no example in the challenges of ${settingsFile}`]
      ),
      ...deliveries.flatMap((delivery, index) =>
        challengeOf(webhooks, { method: 'POST', answer: {}, ...delivery }) === undefined
          ? []
          : [`deliveries/${index} is taken for a challenge: the hub would answer it and read no event`]
      )
    ])
  }
}

/** Finds the challenge that the hub takes a sample for. */
export function challengeOf ({ challenges = [], source }: WebhooksDescription, sample: SampleChallenge) {
  const received = receivedOf(sample, source)
  return findChallenge(challenges, received, false) ?? findChallenge(challenges, received, true)
}

/** The hub's own headers, as declarations. */
const ofScheme: Readonly<Record<WebhooksDescription['scheme'], WebhookVerification>> = {
  hmac: {
    kind: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    signature: { header: signatureHeader, prefix: 'sha256=' },
    signed: ['timestamp', { text: '.' }, 'body'],
    timestamp: { header: timestampHeader, unit: 'ms' }
  },
  bearer: { kind: 'bearer', header: 'authorization', word: 'Bearer' }
}

function faultsOf (
  webhooks: WebhooksDescription,
  sample: SampleChallenge,
  config: Readonly<Record<string, unknown>>
): string[] {
  const { secret } = sample
  const { scheme, verify, source } = webhooks
  const challenge = challengeOf(webhooks, sample)
  const otherContent = sample.method === 'POST' ? describeOtherContent(sample, source) : undefined
  if (challenge === undefined) {
    const hint = otherContent === undefined || sample.body === undefined ? '' : `; ${otherContent}`
    return [`is none: the conditions of no challenge hold${hint}`]
  }
  // Only the adapter's own thread could ask a function.
  const isChecked = isProvedChallenge(challenge) && verify?.kind !== 'function'
  const refusal = isChecked
    ? otherContent ?? refusalOf(verify ?? ofScheme[scheme], toReceived(sample), secret ?? '')
    : undefined
  if (refusal !== undefined) return [`is refused: ${refusal}`]
  if (!isProvedChallenge(challenge) && isSigned(webhooks, sample)) {
    const remedy = challenge.method === 'POST' ? 'leave isProved: false out' : 'set isProved: true'
    return [`is signed by the platform, and the hub would answer it to anybody: ${remedy}`]
  }
  try {
    const answer = answerChallenge(challenge, receivedOf(sample, source), {
      verify,
      secret: secret === undefined ? undefined : createSigningKey(secret),
      configOf: member => config[member]
    })
    return differences(answer, sample.answer)
  } catch (error) {
    return [`is refused: ${error instanceof Error ? error.message : 'it failed'}`]
  }
}

/** Whether the secret of the sample proves it as a delivery, and another one does not. */
function isSigned ({ scheme, verify }: WebhooksDescription, sample: SampleChallenge): boolean {
  const { secret } = sample
  if (secret === undefined || verify?.kind === 'function') return false
  const declared = verify ?? ofScheme[scheme]
  const isProvedBy = (one: string): boolean => refusalOf(declared, toReceived(sample), one) === undefined
  return isProvedBy(secret) && !isProvedBy(createWebhookSecret(randomBytes, declared))
}

function differences (
  { status, body = '', isJson, headers }: ChallengeAnswer,
  expected: SampleChallenge['answer']
): string[] {
  const { status: expectedStatus = 200, body: expectedBody, headers: expectedHeaders = {} } = expected
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const isSameBody = expectedBody === undefined || body === expectedBody ||
    (isJson && isDeepStrictEqual(JSON.parse(body), parsed(expectedBody)))
  return [
    ...status === expectedStatus ? [] : [`is answered ${status}, not ${expectedStatus}`],
    ...isSameBody ? [] : [`is answered '${body.slice(0, 200)}', not '${expectedBody.slice(0, 200)}'`],
    ...Object.entries(expectedHeaders).flatMap(([name, value]) => {
      const found = given.get(name.toLowerCase())
      return found === value ? [] : [`is answered with ${name}: ${found ?? 'nothing'}, not ${value}`]
    })
  ]
}

function receivedOf (sample: SampleChallenge, source: WebhookSource | undefined): ReceivedChallenge {
  return { ...toReceived(sample), readBody: () => readBody(sample, source) }
}
