import { HubJobType, signatureHeader, timestampHeader, type WebhookChallenge, type WebhookHmac } from '@linker/sdk'
import type { AdapterDescription, WebhooksDescription } from '@linker/sdk/host'
import { eventJobTypes } from '../../events/event-to-job.ts'
import { secretNamesOf } from '../../webhooks/secrets.ts'
import { code } from './members.ts'

/** Rows of event type, topics of the platform and job, the default events of the hub included. */
export function eventRows (
  platformType: string,
  { webhooks, jobs, capabilities }: Pick<AdapterDescription, 'webhooks' | 'jobs' | 'capabilities'>
): string[][] {
  const { events = {}, source, body } = webhooks ?? {}
  const declared = new Set(Object.values(events))
  const hasJob = (type: string): boolean =>
    declared.has(type) || Object.hasOwn(jobs, type) ||
    (type === HubJobType.syncProduct && Object.hasOwn(capabilities, 'ProductMaster'))
  const jobTypes = eventJobTypes(platformType, events, hasJob)
  const topics = topicsOf(source?.eventTypes)
  const types = new Set([...jobTypes.keys(), ...topics.keys(), ...body === undefined ? [] : [body.eventType]])
  return [...types].map(type => {
    const job = jobTypes.get(type)
    return [code(type), topics.get(type)?.map(code).join(', ') ?? '', job === undefined ? 'none' : code(job)]
  })
}

function topicsOf (eventTypes: Readonly<Record<string, string | null>> = {}): Map<string, string[]> {
  const mapped = Object.entries(eventTypes).flatMap(([topic, type]) => type === null ? [] : [{ topic, type }])
  return new Map([...Map.groupBy(mapped, ({ type }) => type)].map(([type, of]) => [type, of.map(({ topic }) => topic)]))
}

/** Rows that say what an operator and the platform have to know of a delivery. */
export function deliveryRows (platformType: string, webhooks: WebhooksDescription): string[][] {
  const { source, challenges = [], accepted } = webhooks
  const unwanted = Object.entries(source?.eventTypes ?? {}).filter(([, type]) => type === null)
  return [
    ['proof', proofOf(webhooks)],
    ['secret', secretOf(platformType, webhooks)],
    ...challenges.map(challenge => ['check of the address', challengeOf(challenge)]),
    ...unwanted.length === 0 ? [] : [['topics that nobody wants', unwanted.map(([topic]) => code(topic)).join(', ')]],
    ...accepted === undefined ? [] : [['answer to an accepted delivery', String(accepted.status)]]
  ]
}

function proofOf ({ scheme, verify }: WebhooksDescription): string {
  switch (verify?.kind) {
    case undefined:
      return scheme === 'bearer'
        ? `the secret in ${code('Authorization: Bearer')}`
        : `HMAC-SHA256 in ${code(signatureHeader)}, and the time in ${code(timestampHeader)}`
    case 'hmac':
      return hmacOf(verify)
    case 'bearer':
      return `the secret in ${code(verify.header)}${verify.word === undefined ? '' : ` after ${code(verify.word)}`}`
    case 'basic':
      return 'HTTP Basic, with ' +
        (verify.user === undefined ? 'user and password as the secret' : `the user ${code(verify.user)}`)
    case 'query':
      return `the secret in the parameter ${code(verify.parameter)} of the address`
    case 'jwt':
      return `a JSON Web Token in ${code(verify.header)}`
    case 'function':
      return 'a function of the adapter judges it'
  }
}

function hmacOf ({ algorithm, encoding, signature, timestamp }: WebhookHmac): string {
  const placeOf = ({ header, pair }: Pick<WebhookHmac['signature'], 'header' | 'pair'>): string =>
    code(header) + (pair === undefined ? '' : ` (${code(pair.name)})`)
  const at = timestamp === undefined ? '' : `, and the time in ${placeOf(timestamp)}`
  return `HMAC-${algorithm.toUpperCase()} as ${encoding} in ${placeOf(signature)}${at}`
}

function secretOf (platformType: string, { canInstall, verify }: WebhooksDescription): string {
  if (canInstall) return `${code('linker webhook install')} makes one and gives it to the platform`
  const [ofConnection, ofPlatform] = secretNamesOf({ id: 'ID', platformType })
  const need = verify?.kind === 'function' ? 'if the function needs one, ' : ''
  return `${need}the operator sets ${
    code(ofConnection)
  }, with the id of the connection in capitals and without dashes, ` +
    `or ${code(ofPlatform)} for all connections, in the environment of the hub, and restarts it`
}

function challengeOf ({ method, when, token }: WebhookChallenge): string {
  const conditions = when.map(({ equals, ...place }) => {
    const [[kind, name] = ['', '']] = Object.entries(place)
    return `${kind} ${code(name)}${equals === undefined ? '' : ` = ${code(equals)}`}`
  })
  const entered = token === undefined
    ? ''
    : `; the operator enters the same token at the platform and as ${code(token.config)}`
  return `${code(method)} with ${conditions.join(' and ')}${entered}`
}
