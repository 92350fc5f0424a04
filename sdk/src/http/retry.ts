import type { RetryHandler } from 'undici'

/**
 * A longer wait is not spent inside a call: it goes to the job's schedule as
 * `RateLimitedError.retryAfterMs`.
 */
export const longestWaitMs = 2000
const firstBackOffMs = 250

/**
 * What an attempt ended with, and whether sending the request again is safe: after a given time,
 * after back-off, or not at all.
 */
export class AttemptFailure extends Error {
  readonly error: Error
  readonly repeatAfterMs: number | 'back-off' | undefined

  constructor (error: Error, repeatAfterMs?: number | 'back-off') {
    super(error.message)
    this.error = error
    this.repeatAfterMs = repeatAfterMs
  }
}

export interface RetryOptions {
  retries: number
  signal: AbortSignal | undefined
  /** Called before each wait. */
  onRepeat(failure: AttemptFailure, attempt: number, waitMs: number): void
}

/**
 * The policy for undici's retry interceptor. Below it every failure is already an `AttemptFailure`,
 * a refused status included.
 */
export function createRetryPolicy ({ retries, signal, onRepeat }: RetryOptions): RetryHandler.RetryCallback {
  return (failure, { state }, callback) => {
    if (
      !(failure instanceof AttemptFailure) || failure.repeatAfterMs === undefined || state.counter > retries ||
      signal?.aborted === true
    ) {
      callback(failure)
      return
    }
    const waitMs = failure.repeatAfterMs === 'back-off' ? backOffMs(state.counter) : failure.repeatAfterMs
    onRepeat(failure, state.counter, waitMs)

    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      callback(null)
    }, waitMs)
    function giveUp () {
      clearTimeout(timer)
      callback(failure)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  }
}

// Half of it random: processes that failed together must not come back together.
function backOffMs (attempt: number): number {
  const fullMs = Math.min(longestWaitMs, firstBackOffMs * 2 ** (attempt - 1))
  return fullMs * (0.5 + Math.random() / 2)
}

/**
 * Milliseconds that a `Retry-After` header asks for, given as seconds or as an HTTP date.
 * `undefined` when absent or unreadable.
 */
export function retryAfterMs (headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  // Only dates with a weekday are HTTP dates; Date.parse also reads `-5` or `1.5` as one.
  if (!/^[A-Z][a-z]{2}/.test(value) || Number.isNaN(at)) return undefined
  // Against the sender's own clock where it tells it: ours may be minutes off.
  const sentAt = Date.parse(headers['date'] ?? '')
  return Math.max(0, at - (Number.isNaN(sentAt) ? now.getTime() : sentAt))
}
