import type { FieldError } from './schemas/values.ts'

/**
 * Codes of the errors that an adapter may throw. Compare these, never use `instanceof`: two copies
 * of the SDK may be loaded.
 */
export const AdapterErrorCode = {
  rejected: 'LNK_ADAPTER_REJECTED',
  notFound: 'LNK_ADAPTER_NOT_FOUND',
  authentication: 'LNK_ADAPTER_AUTHENTICATION',
  configuration: 'LNK_ADAPTER_CONFIGURATION',
  rateLimited: 'LNK_ADAPTER_RATE_LIMITED',
  transient: 'LNK_ADAPTER_TRANSIENT',
  writeUnderWay: 'LNK_ADAPTER_WRITE_UNDER_WAY',
  outcomeUnknown: 'LNK_ADAPTER_OUTCOME_UNKNOWN',
  unavailable: 'LNK_PLATFORM_UNAVAILABLE'
} as const
export type AdapterErrorCode = typeof AdapterErrorCode[keyof typeof AdapterErrorCode]

export interface AdapterErrorOptions {
  /** The error that caused this one. The hub logs it and never sends it to a client. */
  cause?: unknown
  /** HTTP status of the platform's answer, when there was one. */
  status?: number
}

/**
 * The base of all errors below. Throw one of the subclasses: the runtime decides by `code` what
 * happens to the job.
 */
export class AdapterError extends Error {
  readonly code: AdapterErrorCode
  readonly status: number | undefined

  constructor (code: AdapterErrorCode, message: string, options: AdapterErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.status = options.status
  }
}

/**
 * The platform understood the request and refused it. The runtime ends the job as dead at once and
 * shows the field errors to the operator.
 */
export class RejectedError extends AdapterError {
  readonly fields: readonly FieldError[]

  constructor (message: string, options: AdapterErrorOptions & { fields?: readonly FieldError[] } = {}) {
    super(AdapterErrorCode.rejected, message, options)
    this.fields = options.fields ?? []
  }
}

/**
 * The object does not exist on the platform. The runtime ends the job as dead at once, unless the
 * job's handler gives absence a meaning.
 */
export class NotFoundError extends AdapterError {
  constructor (message: string, options?: AdapterErrorOptions) {
    super(AdapterErrorCode.notFound, message, options)
  }
}

/**
 * The platform refused the credentials. The runtime sets the connection to `error`. Its jobs wait
 * without losing attempts and resume when the connection is active again.
 */
export class AuthenticationError extends AdapterError {
  constructor (message: string, options?: AdapterErrorOptions) {
    super(AdapterErrorCode.authentication, message, options)
  }
}

/**
 * The operator must change something (a permission, a setting, an address that is not allowed). The
 * runtime ends the job as dead and shows the message.
 */
export class ConfigurationError extends AdapterError {
  constructor (message: string, options?: AdapterErrorOptions) {
    super(AdapterErrorCode.configuration, message, options)
  }
}

/**
 * The platform asks to slow down, or the hub did not send the request: the budget is used up, or
 * the platform is down. The runtime runs the job again after `retryAfterMs` (capped at one hour)
 * and counts no attempt. Let the error of the HTTP client pass.
 */
export class RateLimitedError extends AdapterError {
  readonly retryAfterMs: number | undefined

  constructor (message: string, options: AdapterErrorOptions & { retryAfterMs?: number } = {}) {
    super(AdapterErrorCode.rateLimited, message, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/**
 * A temporary fault: 408, 425, 5xx, network. The request changed nothing upstream, or repeating it
 * is harmless. The runtime retries with back-off, 10 attempts in all.
 */
export class TransientError extends AdapterError {
  constructor (message: string, options?: AdapterErrorOptions) {
    super(AdapterErrorCode.transient, message, options)
  }
}

/**
 * An earlier write to the same object has not ended at the platform, which promises no order: sent
 * now, the new value might be replaced by the older one. The runtime runs the job again after
 * `retryAfterMs` (default 30 seconds, at most one hour) and counts no attempt. The job then writes
 * the value of that time, so of several values that wait the last one wins. Send nothing before you
 * throw it, and make sure that the earlier write ends for the adapter some day.
 */
export class WriteUnderWayError extends AdapterError {
  readonly retryAfterMs: number | undefined

  constructor (message: string, options: AdapterErrorOptions & { retryAfterMs?: number | undefined } = {}) {
    super(AdapterErrorCode.writeUnderWay, message, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/**
 * The request was sent, but no answer says whether it took effect. The runtime retries an absolute
 * write unchanged. Before it repeats a creation, the adapter must look up the object by its own
 * reference.
 */
export class OutcomeUnknownError extends AdapterError {
  constructor (message: string, options?: AdapterErrorOptions) {
    super(AdapterErrorCode.outcomeUnknown, message, options)
  }
}

/**
 * The platform, or an area of it, is off for a while: a maintenance page, a webservice that is
 * switched off. The reason is for operators, who read it unchanged: `maintenance page, 503`.
 *
 * Return it from `classify`: the runtime then lets the area of that request rest, or the whole
 * connection when the request names no area. Thrown elsewhere, it rests the area of the request of
 * the call that ended last. The rest takes `retryAfterMs` (default one minute, at most five); then
 * one request finds out whether the platform is back. The job waits and counts no attempt. After
 * 24 hours it ends as dead with this reason.
 *
 * Throw it only when the platform did nothing: after a write without an answer, the outcome is
 * unknown.
 */
export class UnavailableError extends AdapterError {
  readonly retryAfterMs: number | undefined

  constructor (reason: string, options: AdapterErrorOptions & { retryAfterMs?: number } = {}) {
    super(AdapterErrorCode.unavailable, reason, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Whether `error` carries one of the adapter error codes, whichever copy of the SDK made it. */
export function isAdapterError (error: unknown): error is AdapterError {
  return error instanceof Error && 'code' in error && adapterErrorCodes.has(String(error.code))
}

const adapterErrorCodes: ReadonlySet<string> = new Set(Object.values(AdapterErrorCode))
