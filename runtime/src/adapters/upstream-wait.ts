import { AdapterErrorCode, isAdapterError, RateLimitedError, TransientError } from '@linker/sdk'
import { noteAwaited } from '../jobs/holds/awaited-part.ts'
import type { UpstreamWait } from '../upstream/gate.ts'

const vague: ReadonlySet<string> = new Set([AdapterErrorCode.rateLimited, AdapterErrorCode.transient])

/**
 * Returns the error of a call some of whose requests were not sent. The adapter may have turned the
 * refusal into an error of its own, which must not use up an attempt of the job. An error that says
 * what the platform refused stays.
 */
export function waitOf (error: unknown, wait: UpstreamWait | undefined): unknown {
  if (wait === undefined || (isAdapterError(error) && !vague.has(error.code))) return error
  const { connectionId: groupId, reason: part, retryAfterMs, message, isTooLate } = wait
  if (isTooLate) return new TransientError(message, { cause: error })
  const waiting = new RateLimitedError(message, { retryAfterMs, cause: error })
  return noteAwaited(waiting, { groupId, part, delayMs: Math.ceil(retryAfterMs) })
}
