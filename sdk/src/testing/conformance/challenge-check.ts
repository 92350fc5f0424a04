import { isDeepStrictEqual } from 'node:util'
import {
  answerChallenge,
  findChallenge,
  type ChallengeAnswer,
  type ReceivedChallenge
} from '../../host/answer-challenge.ts'
import type { WebhooksDescription } from '../../host/describe.ts'
import { createSigningKey } from '../../webhook-signature.ts'
import type { Check } from './check.ts'
import { findings } from './finding.ts'
import { settingsFile, type SampleChallenge } from './settings.ts'
import { refusalOf, toReceived } from './webhook-check.ts'

export const challengeCheck: Check = {
  id: 'L1-SHP-10',
  level: 1,
  needs: 'challenges',
  title: `webhooks.challenges answers the requests of ${settingsFile} as the platform expects`,
  prevents: 'the platform never sent a webhook, because its check of the address got another answer',
  async run ({ settings: { settings }, imported }) {
    const webhooks = (await imported()).report?.description?.webhooks
    const { challenges = [], config = {} } = settings
    if (webhooks === undefined) return []
    if (challenges.length === 0) {
      return findings([`${settingsFile} has no challenges: add one of the platform's documentation, with its answer`])
    }
    return findings(challenges.flatMap((sample, index) =>
      faultsOf(webhooks, sample, config).map(fault => `challenges/${index} ${fault}`)
    ))
  }
}

function faultsOf (
  { challenges = [], verify }: WebhooksDescription,
  sample: SampleChallenge,
  config: Readonly<Record<string, unknown>>
): string[] {
  const { secret } = sample
  const received = toReceived(sample)
  const request: ReceivedChallenge = { ...received, readBody: () => readBody(sample) }
  const open = findChallenge(challenges, request, false)
  const challenge = open ?? findChallenge(challenges, request, true)
  if (challenge === undefined) return ['is none: the conditions of no challenge hold']
  const isChecked = open === undefined && verify !== undefined && verify.kind !== 'function'
  const refusal = isChecked ? refusalOf(verify, received, secret ?? '') : undefined
  if (refusal !== undefined) return [`is refused: ${refusal}`]
  try {
    const answer = answerChallenge(challenge, request, {
      verify,
      secret: secret === undefined ? undefined : createSigningKey(secret),
      configOf: member => config[member]
    })
    return differences(answer, sample.answer)
  } catch (error) {
    return [`is refused: ${error instanceof Error ? error.message : 'it failed'}`]
  }
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

function readBody ({ headers = {}, body = '' }: SampleChallenge): unknown {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return type.startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(body))
    : parsed(body)
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
