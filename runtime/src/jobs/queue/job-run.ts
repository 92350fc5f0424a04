import { beginRun, type OpenSpan } from '../../observability/spans.ts'
import type { Cancellation } from '../job.ts'
import { JobProblemCode } from '../retry-policy.ts'
import type { JobHandler, JobOutcome, RunningJob } from '../running-job.ts'
import { createCallTrail, type CallTrail, type Tracing } from './call-trail.ts'
import type { ClaimedJob } from './claim.ts'

/** One run of a job in this process. */
export interface Run {
  readonly job: ClaimedJob
  /** The adapter that serves it, once the handler has named it. */
  adapter(): string | undefined
  /** The requests to platforms that its attempt keeps. */
  calls: CallTrail['kept']
  /** Whether the worker told it to stop; its own deadline does not count. */
  isInterrupted(): boolean
  /** Who cancelled the job, if somebody did. */
  cancellation(): Cancellation | undefined
  /**
   * Runs the handler. Rejects with the error of the handler, or with the reason why the worker
   * stopped waiting for it.
   */
  execute(handler: JobHandler): Promise<JobOutcome>
  /** Aborts its signal. */
  interrupt(): void
  /**
   * Aborts its signal, because somebody cancelled the job. When the handler goes on, the worker
   * stops waiting for it `graceMs` later.
   */
  cancel(cancellation: Cancellation): void
  /** Stops waiting for the handler, whatever it still does. */
  giveUp(): void
}

export interface RunLimits {
  /** The signal aborts then, and `graceMs` later the worker stops waiting for the run. */
  deadlineMs: number
  graceMs: number
  /** Default `off`. */
  tracing?: Tracing
  now: () => Date
  /** Called when the worker stops waiting for a handler that went on after the abort. */
  onAbandoned(run: Run): void
}

export function createRun (job: ClaimedJob, limits: RunLimits): Run {
  const { deadlineMs, graceMs, tracing = 'off', now, onAbandoned } = limits
  const controller = new AbortController()
  const givenUp = Promise.withResolvers<never>()
  givenUp.promise.catch(() => undefined)
  let adapter: string | undefined
  let trail: CallTrail | undefined
  let isInterrupted = false
  let cancellation = job.cancellation ?? undefined
  let grace: NodeJS.Timeout | undefined
  let isExecuting = false
  let span: OpenSpan | undefined

  const running: RunningJob = {
    id: job.id,
    jobType: job.jobType,
    connectionId: job.connectionId,
    payload: job.payload,
    claimedAt: job.claimedAt,
    requestId: job.requestId ?? undefined,
    signal: controller.signal,
    deadline: now().getTime() + deadlineMs,
    servedBy (name) {
      adapter = name
    },
    noteCall: tracing === 'off' ? undefined : call => {
      trail ??= createCallTrail(tracing)
      trail.note(call)
    }
  }

  function beginSpan (): void {
    const { id, jobType, connectionId, requestId } = job
    span = beginRun(jobType, requestId ?? undefined, {
      'linker.job.id': id,
      ...(connectionId === null ? {} : { 'linker.connection.id': connectionId })
    })
    if (span === undefined) return
    const { call } = span
    const { noteCall } = running
    running.noteCall = made => {
      noteCall?.(made)
      call(made)
    }
  }

  function abort (reason: Error): void {
    controller.abort(reason)
    // A deadline and a cancellation may both abort it. The handler gets one time of grace.
    grace ??= setTimeout(() => {
      onAbandoned(run)
      givenUp.reject(reason)
    }, graceMs)
  }

  const run: Run = {
    job,
    adapter: () => adapter,
    calls: ending => trail?.kept(ending),
    isInterrupted: () => isInterrupted,
    cancellation: () => cancellation,
    async execute (handler) {
      let late: Error | undefined
      isExecuting = true
      beginSpan()
      const deadline = setTimeout(() => {
        late = deadlineError(deadlineMs)
        abort(late)
      }, deadlineMs)
      try {
        const outcome = await Promise.race([handler(running), givenUp.promise])
        span?.end(undefined)
        return outcome
      } catch (error) {
        span?.end(codeOf(error))
        // An aborted call reports only the abort, not its reason.
        throw late !== undefined && error instanceof Error && error.cause === late ? late : error
      } finally {
        isExecuting = false
        clearTimeout(deadline)
        clearTimeout(grace)
      }
    },
    interrupt () {
      isInterrupted = true
      controller.abort(new Error('the worker stops, or another worker has this job now'))
    },
    cancel (given) {
      if (cancellation !== undefined) return
      cancellation = given
      // A handler that has ended is not aborted: the hub stores its result.
      if (isExecuting) abort(new Error('the job was cancelled'))
    },
    giveUp () {
      givenUp.reject(new Error('the worker stopped before the handler ended'))
    }
  }
  return run
}

function codeOf (error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : JobProblemCode.failed
}

function deadlineError (deadlineMs: number): Error {
  return Object.assign(new Error(`the run took longer than ${deadlineMs} ms`), { code: JobProblemCode.deadline })
}
