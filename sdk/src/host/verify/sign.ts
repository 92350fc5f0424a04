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
  /** The headers that go out with it besides those of the proof: a platform may sign them. */
  headers?: Readonly<Record<string, string>>
  /** The query that goes out besides that of the proof, without its `?`. Default: none. */
  query?: string
  nowMs: number
}

/** The headers and the query that prove a delivery. */
export interface WebhookProof {
  headers: Record<string, string>
  query: Record<string, string>
}

/** The value of each signed header that the sender does not set otherwise. */
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

function signHmac (declared: WebhookHmac, unsigned: UnsignedWebhook): Record<string, string> {
  const { secret, rawBody, callbackUrl, query = '', nowMs } = unsigned
  const { algorithm, encoding, signature, signed, timestamp } = declared
  const at = timestamp === undefined ? '' : writeTime(nowMs, timestamp.unit)
  const known = knownHeaders(unsigned)
  const named = signed.flatMap(part => typeof part === 'object' && 'header' in part ? [part.header.toLowerCase()] : [])
  const added = new Map(named.filter(name => !known.has(name)).map(name => [name, signedValue]))
  const parts = signedParts(
    { method: 'POST', query, callbackUrl, rawHeaders: [...known, ...added].flat(), rawBody },
    declared,
    at
  )
  const value = (signature.prefix ?? '') + digest(algorithm, keyFor(secret, declared), parts).toString(encoding)
  const proof = new Map<string, string>(added)
  if (timestamp !== undefined) addValue(proof, timestamp, at)
  addValue(proof, signature, value)
  return Object.fromEntries(proof)
}

/** Returns the headers that the sender sets without the proof, by their names in lower case. */
function knownHeaders ({ headers = {}, rawBody, callbackUrl }: UnsignedWebhook): Map<string, string> {
  return new Map([
    ['host', new URL(callbackUrl).host],
    ['content-length', String(rawBody.length)],
    ...Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  ])
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
