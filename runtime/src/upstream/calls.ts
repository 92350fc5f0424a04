import type { RequestBudget } from '@linker/sdk'
import type { HttpRequestEvent } from '@linker/sdk/host'
import type { WaitReason } from './admission.ts'
import type { Area } from './areas.ts'

/** A call of an adapter for a connection that is stored. */
export interface CallUnderWay {
  connectionId: string
  /** `adapterKey@version`. */
  adapter: string
  /** The budget that the adapter declares. */
  declared: RequestBudget | undefined
  signal: AbortSignal
  /** Milliseconds since 1970. */
  deadline: number | undefined
  /**
   * Identifies the run of a job: the same object for all its calls. Its first request must get a
   * place soon, or the job goes back into the queue; the later ones may wait until its deadline.
   * Absent: a person waits.
   */
  run: object | undefined
  /** The job of the run. It asks at once for the area for which it waited the last time. */
  jobId?: string | undefined
  /** Whether another call waits for this one, so that its job has begun already. */
  isNested?: boolean
  /** Whether the call tests the connection: it finds out whether a broken platform works again. */
  isTest: boolean
}

/** A call and what the gate knows of it. */
export interface Begun extends CallUnderWay {
  callId: string
  /** Where its next report closes the breaker and ends the rest, or opens the breaker again. */
  readonly probes: Set<Area>
  /** The end of its last request. */
  last: HttpRequestEvent | undefined
  wait: UpstreamWait | undefined
  /** Whether a request that writes was sent, and no answer says what became of it. */
  mayHaveWritten: boolean
  /** Ends the waits of its requests. */
  readonly ended: Set<AbortController>
}

/** Why the requests of a call have to wait. */
export interface UpstreamWait {
  connectionId: string
  reason: WaitReason
  /** The area for which they wait. Undefined: the whole connection. */
  area: Area
  retryAfterMs: number
  message: string
  /**
   * `refused`: a request was not sent. `too-late`: the requests of the job do not fit into its
   * time, and waiting does not help. `answered`: the platform itself asked for a rest. `probed`: a
   * request found out that the platform still fails.
   */
  kind: 'refused' | 'too-late' | 'answered' | 'probed'
  /** Whether the call may have written something at the platform all the same. */
  isUncertain: boolean
}

/** Names what a job waits for, as the queue keeps it. */
export function awaitedPart (reason: WaitReason, area: Area): string {
  return area === undefined ? reason : `${reason}:${area}`
}
