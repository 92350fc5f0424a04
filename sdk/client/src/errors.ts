import type { Schemas } from './operations.ts'

export type Problem = Schemas['Problem']

/**
 * The hub refused a request (RFC 9457). Branch on `code`: it is stable, and the error table of the
 * runtime lists its cause and remedy.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly code: string
  /** For people; the text may change. */
  readonly detail: string
  /** The faults of the request, each with a JSON pointer to its place. */
  readonly errors: Problem['errors']
  /** Names the request in the log of the hub. */
  readonly requestId: string
  /** Send the request again after this time; set with 429 and 503. */
  readonly retryAfterMs: number | undefined

  constructor (status: number, problem: Partial<Problem> & { code: string }, retryAfterMs?: number) {
    const { code, title = '', detail = title, errors, requestId = '' } = problem
    super(`${status} ${code}${detail === '' ? '' : `: ${detail}`}`)
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** No answer came. The hub may have done what the request asks for; an Idempotency-Key helps. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly code = 'LNK_CLIENT_UNREACHABLE'
}

/** The answer is not one of a hub, for example the page of a proxy. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError'
  readonly code = 'LNK_CLIENT_UNEXPECTED_ANSWER'
  readonly status: number

  constructor (message: string, status: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Returns the error for an answer with a status of 400 or more. */
export function toError (url: string, status: number, text: string, retryAfter: string | null): Error {
  const problem = parseProblem(text)
  if (problem === undefined) return new UnexpectedAnswerError(`${url} answered ${status} without a problem`, status)
  const seconds = Number(retryAfter ?? Number.NaN)
  return new ProblemError(status, problem, Number.isNaN(seconds) ? undefined : seconds * 1_000)
}

function parseProblem (text: string): Partial<Problem> & { code: string } | undefined {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null
    const { code } = value ?? {}
    return typeof code === 'string' ? { ...value, code } : undefined
  } catch {
    return undefined
  }
}
