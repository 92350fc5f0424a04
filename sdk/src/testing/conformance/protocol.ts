import type { CallTarget, CallEffects } from '../../host/carrier.ts'
import type { AdapterDescription } from '../../host/describe.ts'
import type { ErrorData } from '../../host/errors.ts'
import type { Manifest } from '../../manifest.ts'

// What the suite and the thread of an adapter say to each other. Plain data: everything here
// crosses between threads.

export interface ThreadData {
  directory: string
  entry: string
  manifest: Manifest
  adapter: string
  settleMs: number
}

/**
 * Something that an import left running, and the line of the adapter, or of a package it uses, that
 * started it.
 */
export interface Handle {
  type: string
  where: string
}

/** What importing the adapter did. */
export interface ImportReport {
  /**
   * Why there is no description: what the import threw, or what is wrong with its default export.
   */
  failure?: { message: string, isShape: boolean }
  description?: AdapterDescription
  /** Names of environment variables that its own code read. */
  environment: string[]
  handles: Handle[]
  /** Globals and built-ins that are another thing now, and names that are new. */
  globals: string[]
  /** Events of `process` that it listens for. */
  listeners: string[]
}

/** One call of an experiment. */
export interface PlannedCall {
  id: string
  name: string
  target: CallTarget
  args: readonly unknown[]
  isAborted: boolean
}

/** Calls on one connection, whose platform answers in one way. */
export interface Experiment {
  name: string
  /** The server that every request goes to, whatever host it names. */
  origin: string
  config: Record<string, unknown>
  credentials: unknown
  platform: Record<string, unknown>
  /** Stands in for the permissions of the manifest. */
  withoutHttp: boolean
  calls: PlannedCall[]
}

export interface Outcome {
  id: string
  /** Of the call as the hub sees it. */
  value?: unknown
  error?: ErrorData
  /** The error with its causes, as a log would show it. */
  errorText?: string
  effects?: CallEffects
  /** It did not end in the time that any call may take, and was stopped. */
  wasStopped: boolean
  /**
   * The adapter's own function ended within a second of the abort, and with what; undefined when
   * the call was not aborted.
   */
  afterAbort?: { isSettled: boolean, error?: ErrorData }
}

/** What an experiment showed. */
export interface Result {
  name: string
  outcomes: Outcome[]
  /** Every line that was logged, as text. */
  log: string[]
  /** Everything that was stored as `kv`, as text. */
  stored: string[]
}

export interface RunReport {
  results: Result[]
  /** Connections that were not made to the suite's server: `host:port`. They came to nothing. */
  foreignConnections: string[]
  environment: string[]
  /**
   * Globals and members of built-ins that calls replaced, each with the call at whose end it was
   * found. They were put back.
   */
  globals: { name: string, callId?: string }[]
}

export type ToThread =
  | { kind: 'load' }
  | { kind: 'run', experiments: Experiment[] }
  | { kind: 'abort', id: string }
  /** The suite has seen which connections of an experiment are open. */
  | { kind: 'looked', experiment: string }
  | { kind: 'release' }

export type FromThread =
  | { kind: 'loaded', report: ImportReport }
  | { kind: 'begun', id: string }
  /**
   * The calls of an experiment were aborted, and had their time to close connections. They stay as
   * they are until `looked`.
   */
  | { kind: 'settled', experiment: string }
  | { kind: 'finished', report: RunReport }
