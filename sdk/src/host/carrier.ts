import type { RouteProblem } from '../route.ts'

/** What a call needs of its connection. Plain data: it may cross into a worker. */
export interface ConnectionSnapshot {
  id: string
  platformType: string
  config: Record<string, unknown>
  credentials: unknown
  /**
   * Changes with the config or the credentials; a client made for another version is not used
   * again.
   */
  version: string
}

/** What is called on an adapter. Those after `route` concern no connection. */
export type CallTarget =
  | { kind: 'capability', capability: string, method: string }
  | { kind: 'job', jobType: string }
  | { kind: 'test' }
  | { kind: 'installWebhooks' }
  /** Position in the description's routes. */
  | { kind: 'route', index: number, problem?: RouteProblem }
  | { kind: 'migrate', index: number, direction: 'up' | 'down' }
  | { kind: 'normalizeCredentials' }
  | { kind: 'checkConfig' }
  | { kind: 'init' }

/**
 * One call. Arguments and result are structured-cloneable, so that an adapter cannot tell where it
 * runs.
 */
export interface AdapterCall {
  /** Absent when the target concerns no connection. */
  connection?: ConnectionSnapshot
  target: CallTarget
  args: readonly unknown[]
  signal: AbortSignal
  /** Milliseconds since 1970; the signal aborts then. */
  deadline?: number
  requestId?: string
}

/** What a call wants stored together with its end, by whoever made it. */
export interface CallEffects {
  cursors: Record<string, string>
  jobs: { jobType: string, payload: Readonly<Record<string, unknown>>, key: string, delayMs?: number }[]
}

export interface CallAnswer {
  value: unknown
  effects: CallEffects
}

/**
 * Runs the calls to one adapter version. Rejects with the adapter's own error, its `code` kept and
 * its secrets removed.
 */
export interface Carrier {
  call(call: AdapterCall): Promise<CallAnswer>
  /** Drops the client of a connection; the next call makes a new one. */
  forget(connectionId: string): void
}

/** Whether a call needs a connection. A route may have one. */
export function needsConnection ({ kind }: CallTarget): boolean {
  return kind === 'capability' || kind === 'job' || kind === 'test' || kind === 'installWebhooks'
}

/**
 * A call in a few words, for logs and blame: `OfferManager.updateStock`, `feedshop.stock.refresh`.
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
