import {
  AdapterErrorCode,
  isAdapterError,
  OutcomeUnknownError,
  RateLimitedError,
  TransientError,
  UnavailableError
} from '@linker/sdk'
import { noteAwaited } from '../jobs/holds/awaited-part.ts'
import { awaitedPart, type UpstreamWait } from '../upstream/calls.ts'

const waiting: ReadonlySet<string> = new Set([AdapterErrorCode.rateLimited, AdapterErrorCode.unavailable])
const vague: ReadonlySet<string> = new Set([...waiting, AdapterErrorCode.transient])
const faults: ReadonlySet<string> = new Set([AdapterErrorCode.transient, AdapterErrorCode.outcomeUnknown])
/** The queue keeps a delay as an integer. At a slow pace, the last of many jobs exceeds it. */
const longestDelayMs = 86_400_000

/**
 * Returns the error of a call some of whose requests were not sent. The adapter may have turned the
 * refusal into an error of its own, which must not use up an attempt of the job. An error that says
 * what the platform refused stays, and so does one of the hub, such as that of a crash.
 */
export function errorOfWait (error: unknown, wait: UpstreamWait | undefined): unknown {
  if (wait === undefined) return error
  const { connectionId: groupId, reason, area, retryAfterMs, message, kind, isUncertain } = wait
  const part = awaitedPart(reason, area)
  const awaited = { groupId, part, delayMs: Math.min(longestDelayMs, Math.ceil(retryAfterMs)) }
  // An outage that took an attempt of each job that finds it would kill them one after the other.
  if (kind === 'probed' && isFault(error)) return noteAwaited(error, { ...awaited, keepsError: true, foundFault: true })
  if (isTelling(error)) return error
  // A job that waits would take its writing for not done, and write again.
  if (isUncertain) return isWaiting(error) ? new OutcomeUnknownError(error.message, { cause: error }) : error
  switch (kind) {
    case 'too-late':
      return new TransientError(message, { cause: error })
    case 'refused':
      return noteAwaited(refusalOf(reason, message, { retryAfterMs, cause: error }), awaited)
    case 'answered':
      return isWaiting(error) ? noteAwaited(error, { ...awaited, keepsError: true }) : error
    case 'probed':
      return error
  }
}

function refusalOf (
  reason: UpstreamWait['reason'],
  message: string,
  options: { retryAfterMs: number, cause: unknown }
): Error {
  return reason === 'unavailable' ? new UnavailableError(message, options) : new RateLimitedError(message, options)
}

function isWaiting (error: unknown): error is Error {
  return isAdapterError(error) && waiting.has(error.code)
}

/** Whether an error may be what a failure of the platform became in the adapter. */
function isFault (error: unknown): error is Error {
  return error instanceof Error && (!('code' in error) || faults.has(String(error.code)))
}

/** Whether the code of an error says what happened. The SDK removes codes of other libraries. */
function isTelling (error: unknown): boolean {
  return error instanceof Error && 'code' in error && !vague.has(String(error.code))
}
