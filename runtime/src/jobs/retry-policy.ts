import { AdapterErrorCode, type FieldError } from '@linker/sdk'
import { awaitedPartOf, type AwaitedPart } from './holds/awaited-part.ts'
import { CredentialsRefusedError, type UsedCredentials } from './refused-credentials.ts'

/** Why a job died, or why it waits. */
export interface Problem {
  code: string
  message: string
  fields?: readonly FieldError[]
}

/**
 * The fate of a job whose run failed. Only `retry` uses an attempt. `await`: the job runs again
 * when the part of a group that it needs is free again. `refused`: when the connection has other
 * credentials.
 */
export type RetryDecision =
  | { kind: 'dead', problem: Problem }
  | { kind: 'retry', delayMs: number, problem: Problem }
  | { kind: 'wait', delayMs: number, problem: Problem, resumesWithConnection: boolean }
  | { kind: 'refused', refused: UsedCredentials, problem: Problem }
  | { kind: 'await', waitsFor: AwaitedPart, problem: Problem }

/** Codes of problems that the engine itself finds. */
export const JobProblemCode = {
  typeUnknown: 'LNK_JOB_TYPE_UNKNOWN',
  crashed: 'LNK_JOB_CRASHED',
  deadline: 'LNK_JOB_DEADLINE',
  failed: 'LNK_JOB_FAILED',
  cancelled: 'LNK_JOB_CANCELLED',
  adapterMissing: 'LNK_ADAPTER_MISSING',
  adapterUnavailable: 'LNK_ADAPTER_UNAVAILABLE'
} as const

/** Codes of the hub's own errors that decide what happens to a job, or to the caller of one. */
export const HubErrorCode = {
  configurationInvalid: 'LNK_CONFIG_INVALID',
  connectionNotFound: 'LNK_CONNECTION_NOT_FOUND',
  connectionDeleted: 'LNK_CONNECTION_DELETED',
  connectionDisabled: 'LNK_CONNECTION_DISABLED',
  connectionMoving: 'LNK_CONNECTION_MOVING',
  connectionPaused: 'LNK_CONNECTION_PAUSED',
  capabilityPaused: 'LNK_CAPABILITY_PAUSED',
  capabilityNotSupported: 'LNK_CAPABILITY_NOT_SUPPORTED',
  capabilityUnavailable: 'LNK_CAPABILITY_UNAVAILABLE',
  adapterCrashed: 'LNK_ADAPTER_CRASHED',
  requestInvalid: 'LNK_REQUEST_INVALID',
  shopOrderTaken: 'LNK_SHOP_ORDER_TAKEN'
} as const

export const mostAttempts = 10
/**
 * The first crash proves nothing, because every job of the dead process is suspected. In later
 * crashes the job was the only suspect of its lane.
 */
export const mostCrashes = 4
const longestMessageLength = 1_000
const firstBackoffMs = 2_000
const longestDelayMs = 3_600_000
/** A job gives a platform up that was away for so long: a day later its work is out of date. */
const longestUnavailableMs = 86_400_000
const defaultRetryAfterMs = 30_000
export const unresolvedWaitMs = 30_000
const movingWaitMs = 1_000

const permanentCodes: ReadonlySet<string> = new Set([
  AdapterErrorCode.rejected,
  AdapterErrorCode.notFound,
  AdapterErrorCode.configuration,
  HubErrorCode.connectionNotFound,
  HubErrorCode.capabilityNotSupported,
  HubErrorCode.shopOrderTaken,
  JobProblemCode.typeUnknown
])

/** The runs of a job before the one that failed. */
export interface EarlierRuns {
  /** How many failed. */
  failures: number
  /** For how long the platform has been away. */
  unavailableMs: number
}

/** Decides by the code of the error (never by its class: two copies of the SDK may be loaded). */
export function decide (
  error: unknown,
  { failures, unavailableMs }: EarlierRuns,
  random: () => number
): RetryDecision {
  const problem = problemOf(error)
  const waitsFor = awaitedPartOf(error)
  if (isAway(problem, waitsFor) && unavailableMs >= longestUnavailableMs) return { kind: 'dead', problem }
  if (waitsFor !== undefined) return { kind: 'await', waitsFor, problem }
  if (permanentCodes.has(problem.code)) return { kind: 'dead', problem }
  if (error instanceof CredentialsRefusedError) return { kind: 'refused', refused: error, problem }
  switch (problem.code) {
    case AdapterErrorCode.rateLimited:
    case AdapterErrorCode.writeUnderWay:
    case AdapterErrorCode.unavailable:
    case 'LNK_OFFER_NOT_VISIBLE':
      return { kind: 'wait', delayMs: retryAfterOf(error), problem, resumesWithConnection: false }
    case HubErrorCode.connectionDisabled:
      return { kind: 'wait', delayMs: unresolvedWaitMs, problem, resumesWithConnection: true }
    case HubErrorCode.connectionMoving:
      return { kind: 'wait', delayMs: movingWaitMs, problem, resumesWithConnection: false }
    case JobProblemCode.adapterMissing:
    case JobProblemCode.adapterUnavailable:
    case HubErrorCode.capabilityUnavailable:
      return { kind: 'wait', delayMs: unresolvedWaitMs, problem, resumesWithConnection: false }
    default:
      return failures + 1 >= mostAttempts
        ? { kind: 'dead', problem }
        : { kind: 'retry', delayMs: backoffMs(failures, random), problem }
  }
}

/** Whether a run found that the platform is away, or that it still fails. */
export function isAway (problem: Problem | undefined, waitsFor: AwaitedPart | undefined): boolean {
  return problem?.code === AdapterErrorCode.unavailable || waitsFor?.foundFault === true
}

/** Full jitter: jobs that failed together do not come back together. */
export function backoffMs (failures: number, random: () => number): number {
  return Math.round(random() * Math.min(longestDelayMs, firstBackoffMs * 2 ** failures))
}

function problemOf (error: unknown): Problem {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, longestMessageLength)
  if (
    !(error instanceof Error) || !('code' in error) || typeof error.code !== 'string' || !error.code.startsWith('LNK_')
  ) return { code: JobProblemCode.failed, message }
  const hasFields = 'fields' in error && Array.isArray(error.fields) && error.fields.length > 0
  return { code: error.code, message, ...(hasFields ? { fields: error.fields as FieldError[] } : {}) }
}

function retryAfterOf (error: unknown): number {
  const asked = error instanceof Error && 'retryAfterMs' in error ? Number(error.retryAfterMs) : Number.NaN
  return Number.isFinite(asked) && asked >= 0 ? Math.min(longestDelayMs, Math.round(asked)) : defaultRetryAfterMs
}
