import { isSignature, signatureHeader, timestampHeader, verifyWebhook } from '@linker/sdk'
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import {
  SignatureMismatchError,
  TimestampOutsideWindowError,
  WebhookHeaderMissingError,
  WebhookMalformedError,
  WebhookSecretMissingError
} from '../errors.ts'
import { hashToken, type WebhookSecret } from './secrets.ts'
import { explainMismatch } from './signature-mistakes.ts'

export interface Received {
  headers: IncomingHttpHeaders
  rawBody: Buffer
  secrets: readonly WebhookSecret[]
  nowMs: number
  skewMs: number
}

const jsonPattern = /^application\/json *(?:;|$)/i
// Node joins two headers of one name with a comma. Neither this pattern nor the pattern of a
// signature allows a comma.
const timestampPattern = /^[0-9]{10,16}$/
const bearerPattern = /^bearer +([^\s,]+) *$/i

/**
 * Throws unless the Content-Type of the delivery is JSON, with any parameters (specification,
 * section 4.3).
 */
export function refuseOtherMedia (headers: IncomingHttpHeaders): void {
  if (!jsonPattern.test(headers['content-type'] ?? '')) {
    throw new WebhookMalformedError('Content-Type must be application/json')
  }
}

/**
 * Throws unless the delivery is signed by one of the secrets, at a time near now (specification,
 * section 5.1). Returns that time as it came.
 */
export function authenticateSigned ({ headers, rawBody, secrets, nowMs, skewMs }: Received): string {
  refuseUnsigned(headers)
  const timestamp = headerOf(headers, timestampHeader, 'X-Linker-Timestamp')
  const signature = headerOf(headers, signatureHeader, 'X-Linker-Signature')
  if (!timestampPattern.test(timestamp)) {
    throw new WebhookMalformedError('X-Linker-Timestamp must be given once, as Unix time in milliseconds: 10 to 16 ' +
      'digits')
  }
  if (!isSignature(signature)) {
    throw new WebhookMalformedError('X-Linker-Signature must be given once, as `sha256=` and 64 hex digits')
  }
  const lateMs = nowMs - Number(timestamp)
  if (Math.abs(lateMs) > skewMs) throw new TimestampOutsideWindowError(describeLateness(timestamp, lateMs, skewMs))
  if (secrets.length === 0) throw new WebhookSecretMissingError()
  // Every secret is tried, so that the time taken does not tell which one fits.
  if (secrets.filter(({ key }) => verifyWebhook(key, timestamp, rawBody, signature)).length === 0) {
    const reason = explainMismatch({ timestamp, rawBody, signature }, secrets.map(({ key }) => key))
    throw reason === undefined
      ? new SignatureMismatchError()
      : Object.assign(new SignatureMismatchError(), { message: `The signature does not match: ${reason}` })
  }
  return timestamp
}

/**
 * Throws unless the delivery carries one of the secrets as its bearer token (specification, section
 * 5.3).
 */
export function authenticateBearer ({ headers, secrets }: Pick<Received, 'headers' | 'secrets'>): void {
  if (secrets.length === 0) throw new WebhookSecretMissingError()
  // A missing token counts as an empty one. No secret is empty, so it matches none.
  const given = hashToken(bearerPattern.exec(headers.authorization ?? '')?.[1] ?? '')
  if (secrets.filter(({ hash }) => timingSafeEqual(hash, given)).length === 0) {
    throw Object.assign(new SignatureMismatchError(), {
      message: 'The bearer token is missing or is not a secret of this connection'
    })
  }
}

/** A request with neither of the two headers was sent by somebody who does not know of them. */
function refuseUnsigned (headers: IncomingHttpHeaders): void {
  if ([timestampHeader, signatureHeader].some(name => headers[name] !== undefined)) return
  const hint = headers.authorization === undefined ? '' : ': this connection takes a signature, and no token'
  throw new WebhookHeaderMissingError(`Headers X-Linker-Timestamp and X-Linker-Signature are missing${hint}`)
}

function headerOf (headers: IncomingHttpHeaders, name: string, title: string): string {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookHeaderMissingError(`Header ${title} is missing`)
  return value
}

function describeLateness (timestamp: string, lateMs: number, skewMs: number): string {
  if (timestamp.length === 10) return 'X-Linker-Timestamp looks like seconds; milliseconds are expected'
  if (timestamp.length === 16) return 'X-Linker-Timestamp looks like microseconds; milliseconds are expected'
  const seconds = Math.round(Math.abs(lateMs) / 1_000)
  return `X-Linker-Timestamp is ${seconds} s ${lateMs > 0 ? 'behind' : 'ahead of'} the hub's clock; ${
    skewMs / 1_000
  } s are allowed`
}
