import type { KeyObject } from 'node:crypto'
import type { WebhookPair } from '../../webhooks.ts'

/** A delivery as it arrived, before anything of it is parsed. */
export interface ReceivedWebhook {
  method: string
  /** The query of the request, without its `?`. */
  query: string
  /**
   * The address that the platform was given, without a query. Undefined: the connection's config
   * has none.
   */
  callbackUrl: string | undefined
  /** Names and values in turn, as Node gives them: a header that came twice is there twice. */
  rawHeaders: readonly string[]
  rawBody: Buffer
  nowMs: number
  /** The difference between the clocks that the operator allows. */
  skewMs: number
}

/**
 * - `missing`: a header with a signature or a time is not there.
 * - `malformed`: such a header has another form, or came twice.
 * - `mismatch`: no secret of the connection fits.
 * - `stale`: the time is too far from the hub's clock.
 * - `secret`: no secret of the connection can be used.
 * - `address`: the platform signs its address, and the connection has none.
 */
export type RefusalReason = 'missing' | 'malformed' | 'mismatch' | 'stale' | 'secret' | 'address'

/** The delivery proves nothing. The message names the part at fault, never its value. */
export class WebhookRefusal extends Error {
  static readonly code = 'LNK_WEBHOOK_REFUSED'
  readonly code = WebhookRefusal.code
  readonly reason: RefusalReason

  constructor (reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Throws `WebhookRefusal` unless one of the secrets proves the delivery. The secrets are those of
 * the connection as the operator knows them; the verification decodes them. Returns the time at
 * which the platform signed the delivery, in its own writing. Undefined: it signs none.
 */
export type Verify = (received: ReceivedWebhook, secrets: readonly KeyObject[]) => string | undefined

/**
 * Returns the only value of a header. Two headers of one name are refused: proxy and hub could
 * otherwise read different ones.
 */
export function headerOf (rawHeaders: readonly string[], name: string, ifMissing: RefusalReason = 'missing'): string {
  const wanted = name.toLowerCase()
  const values = rawHeaders.filter((_value, index) =>
    rawHeaders[index - 1]?.toLowerCase() === wanted && index % 2 === 1
  )
  if (values.length > 1) throw new WebhookRefusal('malformed', `Header ${name} came ${values.length} times`)
  const [value = ''] = values
  if (value === '') throw new WebhookRefusal(ifMissing, `Header ${name} is missing or empty`)
  return value
}

/** Returns the values of one name in a header such as `t=1700000000,v1=5257…`. */
export function valuesOf (header: string, { name, separator = ',', assignment = '=' }: WebhookPair): string[] {
  const start = name + assignment
  return header.split(separator).map(entry => entry.trim()).filter(entry => entry.startsWith(start)).map(entry =>
    entry.slice(start.length).trim()
  )
}
