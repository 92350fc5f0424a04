import {
  AuthenticationError,
  ConfigurationError,
  isAdapterError,
  NotFoundError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  type AdapterError
} from '../errors.ts'
import { quoteAnswer } from '../quote-answer.ts'
import type { HttpResponse } from './http.ts'
import { longestWaitMs, retryAfterMs, AttemptFailure } from './retry.ts'

/** The facts about a request that the classification of a failed attempt needs. */
export interface RequestFacts {
  url: URL
  /**
   * The request's name in messages, such as `GET https://shop.test/api/products/5`. Never contains
   * the query.
   */
  label: string
  isIdempotent: boolean
  accept: readonly number[]
  classify: ((response: HttpResponse) => AdapterError | undefined) | undefined
  redact: (text: string) => string
  now: () => Date
}

const repeatableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])
const longestReason = 200

/** Returns the failure that an answer means; `undefined` for an accepted answer. */
export function classifyAnswer (response: HttpResponse, facts: RequestFacts): AttemptFailure | undefined {
  const { status, headers } = response
  if (isAccepted(status, facts)) return undefined
  const own = classifyByAdapter(response, facts)
  if (own !== undefined) return new AttemptFailure(own)

  const waitMs = retryAfterMs(headers, facts.now())
  const error = errorOf(response, waitMs, facts)
  const isRepeatable = facts.isIdempotent && repeatableStatuses.has(status) && (waitMs ?? 0) <= longestWaitMs
  return new AttemptFailure(error, isRepeatable ? waitMs ?? 'back-off' : undefined)
}

function classifyByAdapter (response: HttpResponse, { classify, redact }: RequestFacts): Error | undefined {
  try {
    // Some answers quote the request, and the hub stores the message of a refusal.
    return classify?.({ ...response, body: redact(response.body) })
  } catch (error) {
    // Catch it here: thrown inside undici's parser it would look like a broken connection, and be
    // repeated.
    return error instanceof Error ? error : new TypeError('classify threw a value that is not an error')
  }
}

export function isAccepted (status: number, facts: RequestFacts): boolean {
  return (status >= 200 && status < 300) || facts.accept.includes(status)
}

function errorOf (response: HttpResponse, waitMs: number | undefined, facts: RequestFacts): AdapterError {
  const { status } = response
  const message = facts.redact(`${facts.label} answered ${status}${reasonOf(response)}`)
  if (status < 400) return redirectError(response, facts)
  if (status === 401 || status === 403) return new AuthenticationError(message, { status })
  if (status === 404) return new NotFoundError(message, { status })
  if (status === 429) return new RateLimitedError(message, { status, retryAfterMs: waitMs })
  if (status === 503 && waitMs !== undefined) return new RateLimitedError(message, { status, retryAfterMs: waitMs })
  if (status === 408 || status === 425 || status === 503) return new TransientError(message, { status })
  if (status < 500) return new RejectedError(message, { status })
  // A 500 may come after the write and a 502 or 504 comes from a gateway that lost the answer;
  // repeated blindly, a creation happens twice.
  return facts.isIdempotent ? new TransientError(message, { status }) : new OutcomeUnknownError(message, { status })
}

function redirectError ({ status, headers }: HttpResponse, { label, url, redact }: RequestFacts): AdapterError {
  const location = headers['location']
  if (location === undefined) return new RejectedError(redact(`${label} answered ${status}`), { status })
  const origin = URL.parse(location, url.href)?.origin ?? 'an address that cannot be read'
  return new ConfigurationError(
    redact(`${label} answered ${status}, a redirect to ${origin}; ` +
      'the HTTP client follows no redirects, so set the base URL to the final address'),
    { status }
  )
}

// Keep the body out of messages, because they reach logs and operators. Include only one short
// sentence written for people.
function reasonOf ({ headers, body }: HttpResponse): string {
  if (!isJson(headers)) return ''
  const message = readMessage(body)
  if (message === undefined || message === '' || message.length > longestReason) return ''
  return `: ${quoteAnswer(message.replace(/\?\S*=\S*/g, '?…').replace(/[\s\p{Cc}]+/gu, ' '))}`
}

function readMessage (body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || !('message' in parsed)) return undefined
    return typeof parsed.message === 'string' ? parsed.message.trim() : undefined
  } catch {
    return undefined
  }
}

function isJson (headers: Readonly<Record<string, string>>): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '')
}

/**
 * The progress of an attempt: nothing left this process, the request was sent, or its answer began.
 */
export type Phase = 'unsent' | 'sent' | 'answered'

/** Returns the failure that a broken, refused or timed-out exchange means. */
export function classifyFailure (error: Error, phase: Phase, facts: RequestFacts): AttemptFailure {
  if (isAdapterError(error)) return new AttemptFailure(error)
  const code = codeOf(error)
  if (code === 'UND_ERR_INVALID_ARG') {
    return new AttemptFailure(new ConfigurationError(facts.redact(`${facts.label} cannot be sent: ${error.message}`)))
  }

  const where = phase === 'unsent' ? 'before it was sent' : 'after it was sent'
  const message = facts.redact(`${facts.label} failed ${where}: ${code}`)
  const cause = plainCause(error, code, facts.redact)
  if (phase === 'unsent') {
    return new AttemptFailure(new TransientError(message, { cause }), isFinal(code) ? undefined : 'back-off')
  }
  if (!facts.isIdempotent) return new AttemptFailure(new OutcomeUnknownError(message, { cause }))
  return new AttemptFailure(
    new TransientError(message, { cause }),
    phase === 'sent' && !isFinal(code) ? 'back-off' : undefined
  )
}

/** Thrown into an attempt that ran out of time or whose call was aborted. */
export class AttemptInterrupted extends Error {
  readonly code: 'TIMEOUT' | 'ABORTED'

  constructor (code: 'TIMEOUT' | 'ABORTED') {
    super(code === 'TIMEOUT' ? 'no complete answer in time' : 'the call was aborted')
    this.code = code
  }
}

const finalCodes: ReadonlySet<string> = new Set([
  'TIMEOUT',
  'ABORTED',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED'
])

function isFinal (code: string): boolean {
  return finalCodes.has(code)
}

export function codeOf (error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

// Copy only message and code: parser errors of undici carry a piece of the response, and loggers
// print every property of a cause.
function plainCause (error: Error, code: string, redact: (text: string) => string): Error {
  return Object.assign(new Error(redact(error.message === '' ? code : error.message)), { code })
}
