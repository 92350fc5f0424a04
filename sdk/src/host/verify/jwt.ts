import { createHash, timingSafeEqual } from 'node:crypto'
import type { WebhookJwt } from '../../webhooks.ts'
import { decode } from './encoding.ts'
import { digest } from './hmac.ts'
import { headerOf, WebhookRefusal, type Verify } from './received.ts'
import { createKeys } from './secret.ts'
import { refuseFarTime } from './time.ts'
import { wordless } from './tokens.ts'

const hs256Bytes = 32

type Claims = Readonly<Record<string, unknown>>

// One fixed algorithm and three claims: the check of the signature is that of `hmac`, and a library
// would make every verification asynchronous.

export function createJwtVerify ({ header: name, word, skewMs: declaredSkewMs, bodyHash, secret }: WebhookJwt): Verify {
  const keysOf = createKeys(secret)
  return function verifyJwt ({ rawHeaders, rawBody, nowMs, skewMs }, secrets) {
    const [head = '', payload = '', signature = '', ...others] = wordless(headerOf(rawHeaders, name), word, name)
      .split('.')
    const given = decode(signature, 'base64url')
    if (given?.length !== hs256Bytes || others.length > 0) {
      throw new WebhookRefusal('malformed', `The token in header ${name} is not a JSON Web Token with HS256`)
    }
    const signed = `${head}.${payload}`
    if (keysOf(secrets).filter(key => timingSafeEqual(digest('sha256', key, [signed]), given)).length === 0) {
      throw new WebhookRefusal('mismatch', `The token in header ${name} is not signed with a secret of this connection`)
    }
    // Only now is the token the platform's: nothing of it was read before.
    const { alg, crit } = readPart(head, name)
    if (alg !== 'HS256') throw new WebhookRefusal('mismatch', `The token in header ${name} does not say HS256`)
    if (crit !== undefined) throw new WebhookRefusal('mismatch', `The token in header ${name} has the parameter crit`)
    const claims = readPart(payload, name)
    refuseTimes(claims, { nowMs, skewMs: declaredSkewMs ?? skewMs, name: `The token in header ${name}` })
    // Without a hash of the body, one token may serve many deliveries.
    if (bodyHash === undefined) return undefined
    refuseOtherBody(claims, bodyHash, rawBody)
    return String(claims.iat ?? claims.exp)
  }
}

function readPart (part: string, name: string): Claims {
  try {
    const value: unknown = JSON.parse(decode(part, 'base64url')?.toString('utf8') ?? '')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Refused below.
  }
  throw new WebhookRefusal('malformed', `The token in header ${name} is not a JSON Web Token with HS256`)
}

function refuseTimes (claims: Claims, { nowMs, skewMs, name }: { nowMs: number, skewMs: number, name: string }): void {
  const [expiresMs, startsMs, issuedMs] = ['exp', 'nbf', 'iat'].map(claim => timeOf(claims, claim, name))
  if (expiresMs === undefined && issuedMs === undefined) {
    throw new WebhookRefusal('stale', `${name} has neither exp nor iat`)
  }
  if (expiresMs !== undefined && nowMs >= expiresMs + skewMs) throw new WebhookRefusal('stale', `${name} has expired`)
  if (startsMs !== undefined && nowMs < startsMs - skewMs) throw new WebhookRefusal('stale', `${name} is not valid yet`)
  if (issuedMs === undefined) return
  // With `exp` the platform says how old a token may be; without it, the skew does.
  const youngest = expiresMs === undefined ? issuedMs : Math.max(issuedMs, nowMs)
  refuseFarTime(youngest, { nowMs, skewMs, name: `iat of ${name.toLowerCase()}` })
}

function timeOf (claims: Claims, claim: string, name: string): number | undefined {
  const value = claims[claim]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isFinite(value)) return value * 1_000
  throw new WebhookRefusal('malformed', `${claim} of ${name.toLowerCase()} is not a number`)
}

function refuseOtherBody (
  claims: Claims,
  { claim, algorithm, encoding }: NonNullable<WebhookJwt['bodyHash']>,
  rawBody: Buffer
): void {
  const value = claims[claim]
  const given = typeof value === 'string' ? decode(value, encoding) : undefined
  const expected = createHash(algorithm).update(rawBody).digest()
  if (given?.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new WebhookRefusal('mismatch', `Claim ${claim} of the token is not the ${algorithm} of the body received`)
  }
}
