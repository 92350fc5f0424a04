import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'

/**
 * The largest webhook body that the hub reads: 256 KB (specification, section 8). The hub answers
 * 413 to one byte more.
 */
export const webhookBodyLimitBytes = 262_144

/** Header with the Unix time in milliseconds at which the delivery was signed. */
export const timestampHeader = 'x-linker-timestamp'
/** Header with `sha256=` and the hex signature. */
export const signatureHeader = 'x-linker-signature'

const signaturePattern = /^sha256=[0-9A-Fa-f]{64}$/

/**
 * Makes the key once, so that verifying many deliveries does not prepare it each time. Refuses an
 * empty secret: anybody could sign with it.
 */
export function createSigningKey (secret: string): KeyObject {
  if (secret === '') throw new TypeError('an empty webhook secret signs nothing')
  return createSecretKey(Buffer.from(secret, 'utf8'))
}

/**
 * The value of `X-Linker-Signature` for `rawBody` sent at `timestamp`: `sha256=` and the lower-case
 * hex of HMAC-SHA256 over `timestamp + "." + rawBody` (specification, section 5.1).
 */
export function signWebhook (key: string | KeyObject, timestamp: string, rawBody: Uint8Array | string): string {
  return `sha256=${digest(key, timestamp, rawBody).toString('hex')}`
}

/** Whether `signature` has the form `sha256=` and 64 hex digits, in lower or upper case. */
export function isSignature (signature: string): boolean {
  return signaturePattern.test(signature)
}

/**
 * Whether `signature` is the digest that `signWebhook` makes, with its hex digits in lower or upper
 * case. Compares in constant time; answers `false` for a malformed signature.
 */
export function verifyWebhook (
  key: string | KeyObject,
  timestamp: string,
  rawBody: Uint8Array | string,
  signature: string
): boolean {
  if (!isSignature(signature)) return false
  return timingSafeEqual(digest(key, timestamp, rawBody), Buffer.from(signature.slice(7), 'hex'))
}

// The body stays bytes: decoding and encoding would change invalid UTF-8, and the hub would refuse
// a genuine delivery.
function digest (key: string | KeyObject, timestamp: string, rawBody: Uint8Array | string): Buffer {
  const signingKey = typeof key === 'string' ? createSigningKey(key) : key
  return createHmac('sha256', signingKey).update(`${timestamp}.`).update(rawBody).digest()
}
