import type { CallTarget, CallEffects } from '../../host/carrier.ts'
import type { AdapterDescription } from '../../host/describe.ts'
import type { ErrorData } from '../../host/errors.ts'
import type { Recording } from '../../host/recording/recording.ts'
import type { Manifest } from '../../manifest.ts'

// The messages between the suite and the thread of an adapter. Plain data: everything here crosses
// between threads.

export interface ThreadData {
  directory: string
  entry: string
  manifest: Manifest
  adapter: string
  settleMs: number
}

/**
 * A resource that an import left running, and the line of the adapter, or of a package that it
 * uses, that started it.
 */
export interface Handle {
  type: string
  where: string
}

/** The effects of importing the adapter. */
export interface ImportReport {
  /**
   * The reason for a missing description: the error of the import, or the fault of its default
   * export.
   */
  failure?: { message: string, isShape: boolean }
  description?: AdapterDescription
  /** The names of environment variables that the adapter's own code read. */
  environment: string[]
  handles: Handle[]
  /** Globals and built-ins that were replaced, and new names. */
  globals: string[]
  /** The events of `process` that it listens for. */
  listeners: string[]
}

/** One call of an experiment. */
export interface PlannedCall {
  id: string
  name: string
  target: CallTarget
  args: readonly unknown[]
  isAborted: boolean
  /** The HTTP client sends only reads, and reports the others as `unsent`. */
  isDryRun?: true
  /** With recorded answers: follows the cursors, for at most so many pages. */
  mostPages?: number
  /** With recorded answers: the call has a client of its own. */
  isAlone?: true
  /** With recorded answers: the clock goes on by this before the call. */
  afterMs?: number
  /** With recorded answers: the jobs that the calls before have made run first. */
  afterJobs?: true
}

/**
 * Calls on one connection. Its platform gives the same answer to all of them, or recorded ones.
 */
export interface Experiment {
  name: string
  /** The server that receives every request, whatever host it names. */
  origin: string
  config: Record<string, unknown>
  credentials: unknown
  platform: Record<string, unknown>
  /** Capability → method → the answer of every connection. */
  capabilities: Record<string, Record<string, unknown>>
  /** Replaces the permissions of the manifest. */
  withoutHttp: boolean
  calls: PlannedCall[]
  /** The load of the other experiments could delay its requests beyond their time limits. */
  runsFirst?: true
  /**
   * In place of the server. The calls then run one after the other. `repeats`: see `ReplayOptions`.
   */
  replay?: { name: string, recording: Recording, repeats: boolean }
}

export interface Outcome {
  id: string
  /** In a listing with recorded answers: the number of the page, from 0. */
  page?: number
  /** The value that the hub receives. */
  value?: unknown
  error?: ErrorData
  /** The error with its causes, as a log would show it. */
  errorText?: string
  effects?: CallEffects
  /** The call did not end within the longest time of a call, so the suite stopped it. */
  wasStopped: boolean
  /**
   * Whether the adapter's own function ended within a second of the abort, and with which error;
   * undefined when the call was not aborted.
   */
  afterAbort?: { isSettled: boolean, error?: ErrorData }
}

/** A request to a recorded platform. */
export interface ReplayedRequest {
  callId: string
  page: number
  method: string
  path: string
  /** The position of the exchange that answered it; undefined when it is not recorded. */
  position?: number
  /** Whether the adapter says that sending it twice has the same effect as once. */
  isIdempotent: boolean
}

/** The result of an experiment. */
export interface Result {
  name: string
  outcomes: Outcome[]
  /** With recorded answers: the requests, the recorded ones that nobody sent, and the others. */
  replayed?: { requests: ReplayedRequest[], unasked: string[], unrecorded: string[] }
  /** The requests that were not sent because they write: `POST /sessions`. */
  unsent: string[]
  /** Every log line, as text. */
  log: string[]
  /** Every value stored in `kv`, as text. */
  stored: string[]
}

export interface RunReport {
  results: Result[]
  /** Attempts to connect to other servers than the suite's: `host:port`. They all failed. */
  foreignConnections: string[]
  environment: string[]
  /**
   * Globals and members of built-ins that calls replaced, each with the call at whose end it was
   * noticed. The suite restored them.
   */
  globals: { name: string, callId?: string }[]
}

export type ToThread =
  | { kind: 'load' }
  | { kind: 'run', experiments: Experiment[] }
  | { kind: 'abort', id: string }
  /** The suite has noted the open connections of an experiment. */
  | { kind: 'looked', experiment: string }
  | { kind: 'release' }

export type FromThread =
  | { kind: 'loaded', report: ImportReport }
  | { kind: 'begun', id: string }
  /**
   * The calls of an experiment were aborted and had their time to close connections. The thread
   * leaves the connections as they are until `looked`.
   */
  | { kind: 'settled', experiment: string }
  | { kind: 'finished', report: RunReport }
