import type { RouteProblem } from '../route.ts'
import type { RecordedTraffic } from './recording/record-exchanges.ts'

/** The data of its connection that a call needs. Plain data: it may cross into a worker. */
export interface ConnectionSnapshot {
  id: string
  platformType: string
  config: Record<string, unknown>
  credentials: unknown
  /**
   * Changes with the config or the credentials; the carrier does not reuse a client of another
   * version.
   */
  version: string
  /** Names the stored credentials. Changes when they are replaced or renewed. */
  credentialsVersion: string
}

/** The target of a call on an adapter. The targets after `route` concern no connection. */
export type CallTarget =
  | { kind: 'capability', capability: string, method: string }
  | { kind: 'job', jobType: string }
  | { kind: 'test' }
  | { kind: 'account' }
  | { kind: 'installWebhooks' }
  /** The position in the description's routes. */
  | { kind: 'route', index: number, problem?: RouteProblem }
  | { kind: 'migrate', index: number, direction: 'up' | 'down' }
  | { kind: 'normalizeCredentials' }
  | { kind: 'checkConfig' }
  | { kind: 'verifyWebhook' }
  | { kind: 'init' }

/**
 * One call. Arguments and result are structured-cloneable, so an adapter cannot tell in which
 * thread it runs.
 */
export interface AdapterCall {
  /** Absent when the target concerns no connection. */
  connection?: ConnectionSnapshot
  target: CallTarget
  args: readonly unknown[]
  signal: AbortSignal
  /** Milliseconds since 1970; the signal aborts at this time. */
  deadline?: number
  requestId?: string
  /** Names the call to the host: before each request that it sends, and in the report of each. */
  traceId?: string
  /**
   * The HTTP client sends only GET and HEAD requests, and those that renew a token. It reports each
   * other request as `unsent` and throws a `RejectedError`. The context stores no values. The call
   * has a client of its own, because calls that share one could get each other's refusals.
   */
  isDryRun?: boolean
  /** The HTTP client sends no request. The carrier sets it for a route that says so. */
  readsHubOnly?: boolean
  /** Set by the context while it renews the token of the connection. */
  renewsToken?: boolean
  /** Removes the secrets of the connection from the answer of a capability. */
  redactsAnswer?: boolean
  /** The answer has the requests of the call and their answers, without secrets. */
  isRecorded?: boolean
  /** How many calls of capabilities, each inside the one before, led to this call. Default 0. */
  depth?: number
}

/** The effects of a call. Its caller stores them together with the end of the call. */
export interface CallEffects {
  cursors: Record<string, string>
  jobs: { jobType: string, payload: Readonly<Record<string, unknown>>, key: string, delayMs?: number }[]
}

export interface CallAnswer {
  value: unknown
  effects: CallEffects
  /** Present when the call was recorded. */
  recorded?: RecordedTraffic
  /** The credentials that the call used last. Absent when it concerns no connection. */
  credentialsVersion?: string
}

/**
 * Runs the calls to one adapter version. Rejects with the adapter's own error; keeps its `code` and
 * removes its secrets. The error has the `credentialsVersion` that an answer would have.
 */
export interface Carrier {
  call(call: AdapterCall): Promise<CallAnswer>
  /** Drops the client of a connection; the next call makes a new one. */
  forget(connectionId: string): void
}

const connectionKinds: ReadonlySet<CallTarget['kind']> = new Set([
  'capability',
  'job',
  'test',
  'account',
  'installWebhooks'
])

/** Whether a call needs a connection. A route may have one. */
export function needsConnection ({ kind }: CallTarget): boolean {
  return connectionKinds.has(kind)
}

/**
 * Describes a call for logs and error messages: `OfferManager.updateOffer`,
 * `feedshop.stock.refresh`.
 */
export function describeTarget (target: CallTarget): string {
  switch (target.kind) {
    case 'capability':
      return `${target.capability}.${target.method}`
    case 'job':
      return target.jobType
    case 'route':
      return `route ${target.index}`
    case 'migrate':
      return `migration ${target.index} ${target.direction}`
    default:
      return target.kind
  }
}
