import { createHash } from 'node:crypto'
import type { WebhookHmac, WebhookJwt, WebhookVerification } from '../../webhooks.ts'
import { digest, signedParts } from './hmac.ts'
import { keyOf } from './secret.ts'
import { writeTime } from './time.ts'

/** A delivery that is to be proved as a platform proves it. */
export interface UnsignedWebhook {
  secret: string
  rawBody: Buffer
  /** The address of the connection's webhooks, without a query. */
  callbackUrl: string
  nowMs: number
}

/** What proves a delivery. */
export interface WebhookProof {
  headers: Record<string, string>
  query: Record<string, string>
}

/** The value of each header that a platform signs and that has no meaning for the hub. */
const signedValue = 'linker'
const tokenSeconds = 60

/**
 * Proves a delivery as the platform would: the hub sends such a delivery to itself after it has
 * installed webhooks.
 */
export function proveWebhook (declared: WebhookVerification, unsigned: UnsignedWebhook): WebhookProof {
  const { secret } = unsigned
  switch (declared.kind) {
    case 'hmac':
      return { headers: signHmac(declared, unsigned), query: {} }
    case 'bearer':
      return { headers: { [declared.header]: behindWord(declared.word, secret) }, query: {} }
    case 'basic': {
      const credentials = declared.user === undefined ? secret : `${declared.user}:${secret}`
      return { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }, query: {} }
    }
    case 'query':
      return { headers: {}, query: { [declared.parameter]: secret } }
    case 'jwt':
      return { headers: { [declared.header]: behindWord(declared.word, signToken(declared, unsigned)) }, query: {} }
  }
}

function signHmac (declared: WebhookHmac, { secret, rawBody, callbackUrl, nowMs }: UnsignedWebhook): Record<
  string,
  string
> {
  const { algorithm, encoding, signature, signed, timestamp } = declared
  const at = timestamp === undefined ? '' : writeTime(nowMs, timestamp.unit)
  const headers = signed.flatMap((part): [string, string][] =>
    typeof part === 'object' && 'header' in part ? [[part.header, signedValue]] : []
  )
  const parts = signedParts(
    { method: 'POST', query: '', callbackUrl, rawHeaders: headers.flat(), rawBody },
    declared,
    at
  )
  const value = (signature.prefix ?? '') + digest(algorithm, keyFor(secret, declared), parts).toString(encoding)
  const proof = new Map<string, string>(headers)
  if (timestamp !== undefined) addValue(proof, timestamp, at)
  addValue(proof, signature, value)
  return Object.fromEntries(proof)
}

/** Adds a value to its header, which may hold another one. */
function addValue (headers: Map<string, string>, { header, pair }: WebhookHmac['signature'], value: string): void {
  const name = header.toLowerCase()
  const entry = pair === undefined ? value : `${pair.name}${pair.assignment ?? '='}${value}`
  const before = headers.get(name)
  headers.set(name, before === undefined ? entry : `${before}${pair?.separator ?? ','}${entry}`)
}

function signToken (declared: WebhookJwt, { secret, rawBody, nowMs }: UnsignedWebhook): string {
  const issued = Math.floor(nowMs / 1_000)
  const hash = declared.bodyHash
  const claims = {
    iat: issued,
    exp: issued + tokenSeconds,
    ...hash && { [hash.claim]: createHash(hash.algorithm).update(rawBody).digest(hash.encoding) }
  }
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map(part =>
    Buffer.from(JSON.stringify(part)).toString('base64url')
  ).join('.')
  return `${signed}.${digest('sha256', keyFor(secret, declared), [signed]).toString('base64url')}`
}

function keyFor (secret: string, { secret: form }: Pick<WebhookHmac, 'secret'>) {
  const key = keyOf(secret, form)
  if (key === undefined) throw new TypeError(`the secret is not ${form?.encoding ?? 'a text'}`)
  return key
}

function behindWord (word: string | undefined, value: string): string {
  return word === undefined ? value : `${word} ${value}`
}
