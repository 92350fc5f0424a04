/** A request for one run of a job type. The same idempotency key never makes a second job. */
export interface JobRequest {
  jobType: string
  /**
   * The connection that the job is for and that bounds its share of the workers; null for the hub
   * itself.
   */
  connectionId: string | null
  payload: Readonly<Record<string, unknown>>
  idempotencyKey: string
  /**
   * The delay in milliseconds, by the clock of the database. A delayed job neither coalesces with
   * nor excludes other jobs of its object: the job that it makes does the work.
   */
  delayMs?: number | undefined
  /** The id of the request that led to this job. It appears in logs and on upstream calls. */
  requestId?: string | undefined
}

/**
 * `id` is `uuid5(namespace, idempotencyKey)`: the same answer for a repeat, even when every marker
 * is gone.
 */
export interface Enqueued {
  id: string
  isNew: boolean
}

/**
 * Two lanes. *State*: make this object current, at most one waiting and one running per object.
 * *Command*: every request kept, in order per object.
 */
export type Lane = 'state' | 'command'

/** How the runtime treats a job type. */
export interface JobType {
  lane: Lane
  /** Names the object that two runs must not work on at once. */
  objectKey(request: Pick<JobRequest, 'connectionId' | 'payload'>): string
}

/**
 * A request that an attempt sent to a platform. It has neither query nor host, and no secret of its
 * connection.
 */
export interface UpstreamCall {
  /** ISO 8601: when it was sent, by the clock of the hub. */
  at: string
  method: string
  path: string
  /** Null: no answer came. */
  status: number | null
  ms: number
  /** The code of the failure when no complete answer came, such as `ECONNREFUSED`. */
  error?: string
}

/** The requests of an attempt: the first and the last ones when there were too many to keep all. */
export interface KeptCalls {
  calls?: UpstreamCall[]
  /** How many requests between them were not kept. */
  callsLeftOut?: number
}

/** One attempt, as `GET /jobs/{id}` shows it. Times are ISO 8601. */
export interface Attempt extends KeptCalls {
  startedAt: string
  finishedAt: string
  error?: { code: string, message: string }
}

/** Who wants a job to end, and why. */
export interface Cancellation {
  /** ISO 8601. */
  requestedAt: string
  by: string
  reason: string | null
}

/** How a job ended. */
export type Outcome = 'succeeded' | 'dead' | 'cancelled'

export type JobStatus = 'queued' | 'running' | 'waiting' | Outcome

/** A job as the API shows it. */
export interface JobRecord {
  id: string
  jobType: string
  connectionId: string | null
  /** Jobs with the same key work on the same object, one at a time. */
  objectKey: string
  idempotencyKey: string
  payload: Readonly<Record<string, unknown>>
  requestId: string | null
  status: JobStatus
  attempts: Attempt[]
  result: unknown
  problem: { code: string, message: string, fields?: unknown } | null
  /** `adapterKey@version` that served the last attempt. */
  adapter: string | null
  /** The waiting job that runs in place of this one. */
  coalescedInto: string | null
  /** Null: nobody cancelled the job. A job can succeed before its cancellation takes effect. */
  cancellation: Cancellation | null
  createdAt: string
  /** When it may run, unless something else keeps it waiting. Null: it runs or has ended. */
  dueAt: string | null
  finishedAt: string | null
}
