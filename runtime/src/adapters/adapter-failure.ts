import { AdapterErrorCode, isAdapterError } from '@linker/sdk'
import { capabilityUnavailableCode } from '@linker/sdk/host'
import { fieldsOf, retryAfterSecondsOf } from '@linker/sdk/host/routes'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import {
  AccountConnectedError,
  AccountDiffersError,
  AdapterAuthenticationError,
  AdapterConfigurationError,
  AdapterCrashedError,
  AdapterFailedError,
  AdapterObjectNotFoundError,
  AdapterOutcomeUnknownError,
  AdapterRateLimitedError,
  AdapterRejectedError,
  AdapterTransientError,
  AdapterUnavailableError,
  AdapterWriteUnderWayError,
  CapabilityUnavailableError,
  ConnectionCreationFailedError,
  CredentialStoreNotAvailableError,
  PlatformUnavailableError
} from '../errors.ts'

/** The error that answers a request, and after how many seconds the client may send it again. */
export interface RouteFailure {
  error: Error
  retryAfterSeconds?: number
}

const answers: ReadonlyMap<string, (message: string) => Error> = new Map<string, (message: string) => Error>([
  [AdapterErrorCode.rejected, message => new AdapterRejectedError(message)],
  [AdapterErrorCode.notFound, message => new AdapterObjectNotFoundError(message)],
  [AdapterErrorCode.authentication, message => new AdapterAuthenticationError(message)],
  [AdapterErrorCode.configuration, message => new AdapterConfigurationError(message)],
  [AdapterErrorCode.rateLimited, message => new AdapterRateLimitedError(message)],
  [AdapterErrorCode.transient, message => new AdapterTransientError(message)],
  [AdapterErrorCode.writeUnderWay, message => new AdapterWriteUnderWayError(message)],
  [AdapterErrorCode.outcomeUnknown, message => new AdapterOutcomeUnknownError(message)],
  [AdapterErrorCode.unavailable, message => new PlatformUnavailableError(message)]
])

/** Errors of the hub while it stored something for an adapter. The adapter lets them through. */
const storeFailures: ReadonlyMap<unknown, () => Error> = new Map<unknown, () => Error>([
  ['LNK_CONNECTION_CREATION_FAILED', () => new ConnectionCreationFailedError()],
  ['LNK_CREDENTIAL_STORE_NOT_AVAILABLE', () => new CredentialStoreNotAvailableError()]
])

/** Refusals of the hub that the caller gets as they are: they name connections and accounts. */
const accountRefusals: ReadonlyMap<unknown, () => Error> = new Map<unknown, () => Error>([
  ['LNK_ACCOUNT_CONNECTED', () => new AccountConnectedError()],
  ['LNK_ACCOUNT_DIFFERS', () => new AccountDiffersError()]
])

/** The codes of the errors that answer a request while an adapter works for it. */
export const adapterProblems = [
  'LNK_ADAPTER_REJECTED',
  'LNK_ADAPTER_NOT_FOUND',
  'LNK_ADAPTER_CONFIGURATION',
  'LNK_ADAPTER_FAILED',
  'LNK_ADAPTER_MISSING',
  'LNK_ADAPTER_AUTHENTICATION',
  'LNK_ADAPTER_CRASHED',
  'LNK_ADAPTER_OUTCOME_UNKNOWN',
  'LNK_ADAPTER_RATE_LIMITED',
  'LNK_ADAPTER_TRANSIENT',
  'LNK_ADAPTER_WRITE_UNDER_WAY',
  'LNK_ADAPTER_UNAVAILABLE',
  'LNK_ADAPTER_TIMEOUT',
  'LNK_CAPABILITY_UNAVAILABLE',
  'LNK_PLATFORM_UNAVAILABLE'
] as const

/**
 * Turns an error of an adapter into the error that its route answers. Each error of the SDK has a
 * status; any other error is a fault of the adapter or one of the hub's own.
 */
export function toRouteFailure (error: unknown, adapter: string): RouteFailure {
  if (isAdapterError(error)) {
    const answer = answers.get(error.code)?.(error.message) ?? new AdapterFailedError(adapter)
    return {
      error: Object.assign(answer, { cause: error, errors: fieldsOf(error) }),
      retryAfterSeconds: retryAfterSecondsOf(error)
    }
  }
  const isOfHub = error instanceof AdapterUnavailableError || error instanceof AdapterCrashedError ||
    isInfrastructureError(error)
  if (isOfHub) return { error: error as Error }
  if (codeOf(error) === capabilityUnavailableCode) {
    return { error: Object.assign(new CapabilityUnavailableError(messageOf(error)), { cause: error }) }
  }
  const refused = accountRefusals.get(codeOf(error))?.()
  if (refused !== undefined) return { error: Object.assign(refused, { message: messageOf(error), cause: error }) }
  const failure = storeFailures.get(codeOf(error))?.() ?? new AdapterFailedError(adapter)
  return { error: Object.assign(failure, { cause: error }) }
}

/** Whether the hub could not store what an adapter asked for. */
export function isStoreFailure (error: unknown): error is Error & { code: string } {
  return storeFailures.has(codeOf(error))
}

/** Whether the hub refused to connect an account. */
export function isAccountRefusal (error: unknown): error is Error & { code: string } {
  return accountRefusals.has(codeOf(error))
}

function messageOf (error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function codeOf (error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
