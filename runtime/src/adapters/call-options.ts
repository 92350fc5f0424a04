import type { CallEffects, RecordedTraffic } from '@linker/sdk/host'
import type { CalledAs } from './kept-effects.ts'
import type { TakeRequest } from './traces.ts'

/** The options of a call of an adapter. */
export interface CallOptions {
  signal: AbortSignal
  /** Milliseconds since 1970; told to the adapter. */
  deadline?: number
  requestId?: string
  /**
   * Takes the effects that the call wants stored, so that the caller stores them together with
   * other changes: those of the capabilities that the call has called, then its own. `calledAs`:
   * the version that another connection must still have when they are stored. Absent: the hub
   * stores them before the call answers.
   */
  keep?(effects: CallEffects, connectionId: string, calledAs?: CalledAs): void
  /**
   * The run of a job, the same object for all its calls: its requests get their places together.
   * Absent: a person waits for the answer.
   */
  run?: object
  /** The job of the run. */
  jobId?: string
  /** Takes each request that the call sends to the platform, when the request is over. */
  onRequest?: TakeRequest | undefined
  /** Sends only requests that read, and reports the others as unsent. */
  isDryRun?: boolean
  /** Removes the secrets of the connection from the answer of a capability. */
  redactsAnswer?: boolean
  /** Takes the requests of a call that succeeded and their answers. */
  onRecorded?: ((recorded: RecordedTraffic) => void) | undefined
  /** How many calls of capabilities led to this call. */
  depth?: number
  /**
   * Takes the version of the credentials that a call used, before its answer: the answer may say
   * that the platform refused them for some items.
   */
  onCredentials?: ((credentialsVersion: string) => void) | undefined
}
