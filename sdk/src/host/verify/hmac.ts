import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { WebhookHmac, WebhookSignaturePlace, WebhookTimestamp } from '../../webhooks.ts'
import { decode } from './encoding.ts'
import { headerOf, valuesOf, WebhookRefusal, type ReceivedWebhook, type Verify } from './received.ts'
import { createKeys } from './secret.ts'
import { refuseFarTime, timeOf } from './time.ts'

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const

type Signed = Pick<ReceivedWebhook, 'method' | 'query' | 'callbackUrl' | 'rawHeaders' | 'rawBody'>

export function createHmacVerify (declared: WebhookHmac): Verify {
  const { algorithm, timestamp } = declared
  const keysOf = createKeys(declared.secret)
  return function verifyHmac (received, secrets) {
    const signatures = signaturesOf(received.rawHeaders, declared)
    const at = timestamp === undefined ? '' : readTimestamp(received, timestamp)
    const parts = signedParts(received, declared, at)
    // Each pair is compared, so that the time taken does not tell which secret fits.
    const matches = keysOf(secrets).flatMap(key => {
      const expected = digest(algorithm, key, parts)
      return signatures.filter(given => timingSafeEqual(given, expected))
    })
    if (matches.length === 0) {
      throw new WebhookRefusal('mismatch', `${nameOf(declared.signature)} does not match what was received`)
    }
    return timestamp === undefined ? undefined : at
  }
}

/** The HMAC over the parts, with nothing between them. */
export function digest (algorithm: string, key: KeyObject, parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac(algorithm, key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

/** The parts that the platform signed, in their order. `at`: the timestamp as it was sent. */
export function signedParts (
  { method, query, callbackUrl, rawHeaders, rawBody }: Signed,
  { signed }: Pick<WebhookHmac, 'signed'>,
  at: string
): (string | Buffer)[] {
  return signed.map(part => {
    if (part === 'body') return rawBody
    if (part === 'timestamp') return at
    if (part === 'method') return method.toUpperCase()
    if (part === 'url') return urlOf(callbackUrl, query)
    // Node reads each byte of a header as one character.
    return 'text' in part ? part.text : Buffer.from(headerOf(rawHeaders, part.header), 'latin1')
  })
}

function urlOf (callbackUrl: string | undefined, query: string): string {
  if (callbackUrl === undefined) {
    throw new WebhookRefusal(
      'address',
      'The platform signs the address of the hub, and callbackBaseUrl in the config of the connection is not set'
    )
  }
  return query === '' ? callbackUrl : `${callbackUrl}?${query}`
}

function signaturesOf (rawHeaders: readonly string[], { algorithm, encoding, signature }: WebhookHmac): Buffer[] {
  const { header, pair, prefix = '' } = signature
  const text = headerOf(rawHeaders, header)
  const values = pair === undefined ? [text] : valuesOf(text, pair)
  if (values.length === 0) throw new WebhookRefusal('missing', `${nameOf(signature)} is missing`)
  const given = values.flatMap(value =>
    value.startsWith(prefix) ? decode(value.slice(prefix.length), encoding) ?? [] : []
  ).filter(({ length }) => length === digestBytes[algorithm])
  if (given.length === 0) {
    const form = prefix === '' ? encoding : `'${prefix}' and ${encoding}`
    throw new WebhookRefusal('malformed', `${nameOf(signature)} must be ${form} of ${digestBytes[algorithm]} bytes`)
  }
  return given
}

/** Returns the text of a timestamp whose time is near now. */
function readTimestamp ({ rawHeaders, nowMs, skewMs }: ReceivedWebhook, declared: WebhookTimestamp): string {
  const name = nameOf(declared)
  const header = headerOf(rawHeaders, declared.header)
  const [text, ...others] = declared.pair === undefined ? [header] : valuesOf(header, declared.pair)
  if (text === undefined) throw new WebhookRefusal('missing', `${name} is missing`)
  if (others.length > 0) throw new WebhookRefusal('malformed', `${name} came ${others.length + 1} times`)
  refuseFarTime(timeOf(text, declared.unit, name), { nowMs, skewMs: declared.skewMs ?? skewMs, name })
  return text
}

function nameOf ({ header, pair }: Pick<WebhookSignaturePlace, 'header' | 'pair'>): string {
  return pair === undefined ? `Header ${header}` : `'${pair.name}' in header ${header}`
}
