import type { RetryHandler } from 'undici'

/**
 * The client does not wait longer inside a call: the job's schedule does, by
 * `RateLimitedError.retryAfterMs`.
 */
export const longestWaitMs = 2000
const firstBackOffMs = 250

/**
 * The error of an attempt, and whether repeating the request is safe: after a given time, after
 * back-off, or not at all.
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
  /** Called after each wait. Returns the error with which to fail instead of repeating. */
  admit: () => Promise<Error | undefined>
  /** Called before each wait. */
  onRepeat(failure: AttemptFailure, attempt: number, waitMs: number): void
}

/**
 * The policy for undici's retry interceptor. The interceptor below it has already turned every
 * failure into an `AttemptFailure`, including a refused status.
 */
export function createRetryPolicy ({ retries, signal, admit, onRepeat }: RetryOptions): RetryHandler.RetryCallback {
  return (failure, { state }, callback) => {
    const isOver = state.counter > retries || signal?.aborted === true
    if (isOver || !(failure instanceof AttemptFailure) || failure.repeatAfterMs === undefined) {
      callback(failure)
      return
    }
    const waitMs = failure.repeatAfterMs === 'back-off' ? backOffMs(state.counter) : failure.repeatAfterMs
    onRepeat(failure, state.counter, waitMs)

    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      repeat(failure, { admit, signal }, callback)
    }, waitMs)
    function giveUp () {
      clearTimeout(timer)
      callback(failure)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  }
}

async function repeat (
  failure: AttemptFailure,
  { admit, signal }: Pick<RetryOptions, 'admit' | 'signal'>,
  callback: Parameters<RetryHandler.RetryCallback>[2]
): Promise<void> {
  const refusal = await admit()
  if (signal?.aborted === true) callback(failure)
  else callback(refusal === undefined ? null : new AttemptFailure(refusal))
}

// Make half of it random: processes that failed together must not come back together.
function backOffMs (attempt: number): number {
  const fullMs = Math.min(longestWaitMs, firstBackOffMs * 2 ** (attempt - 1))
  return fullMs * (0.5 + Math.random() / 2)
}

/**
 * Returns the milliseconds of a `Retry-After` header, given as seconds or as an HTTP date;
 * `undefined` when absent or unreadable.
 */
export function retryAfterMs (headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  // Accept only dates with a weekday, as HTTP dates have: Date.parse also reads `-5` or `1.5` as a
  // date.
  if (!/^[A-Z][a-z]{2}/.test(value) || Number.isNaN(at)) return undefined
  // Compare with the sender's own clock if it tells it: ours may be minutes off.
  const sentAt = Date.parse(headers['date'] ?? '')
  return Math.max(0, at - (Number.isNaN(sentAt) ? now.getTime() : sentAt))
}
