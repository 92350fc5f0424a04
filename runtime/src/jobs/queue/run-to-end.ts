import { AdapterErrorCode } from '@linker/sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import { isInfrastructureError } from '../../database/infrastructure-error.ts'
import type { SettledRun } from '../../observability/instruments.ts'
import type { Cancellation, KeptCalls } from '../job.ts'
import type { JobLog } from '../log.ts'
import { problemOf } from '../operation/cancellation.ts'
import type { UsedCredentials } from '../refused-credentials.ts'
import {
  decide,
  HubErrorCode,
  JobProblemCode,
  mostCrashes,
  unresolvedWaitMs,
  type Problem,
  type RetryDecision
} from '../retry-policy.ts'
import type { FindHandler } from '../running-job.ts'
import type { ClaimedJob } from './claim.ts'
import type { Run } from './job-run.ts'
import type { End, Settle } from './settle.ts'
import type { PutBack } from './store.ts'

export interface RunToEndOptions {
  settle: Settle
  findHandler: FindHandler
  log: JobLog
  /**
   * Called before the job is put back. The job goes on when the connection becomes active again, or
   * soon if the connection has other credentials by now.
   */
  onAuthenticationFailure(refused: UsedCredentials, message: string): Promise<void>
  random(): number
  /** Called when the handler has ended, before the end is stored. */
  onConcluded(run: Run): void
  /** Called with the time after which a job that was put back is due. */
  onPutBack(delayMs: number): void
  /** For metrics. Called when the end of a run is stored. */
  onSettled?(run: SettledRun, connectionId: string | null): void
}

type Conclusion = { end: End } | { putBack: PutBack }

const released: Conclusion = { putBack: { delayMs: 0, resumesWithConnection: false, isFailure: false } }
const waitForAdapterMs = 30_000
// Not at once: an adapter may renew a token that the platform then refuses, again and again.
const replacedWaitMs = 1_000
const storeAgainMs = 1_000
const mostTries = 300

/** Returns the function that takes a claimed job to its end, or back into the queue. */
export function createRunToEnd ({
  settle,
  findHandler,
  log,
  onAuthenticationFailure,
  random,
  onConcluded,
  onPutBack,
  onSettled
}: RunToEndOptions): (run: Run) => Promise<void> {
  async function conclude (run: Run): Promise<Conclusion> {
    const { job } = run
    const cancellation = run.cancellation()
    if (cancellation !== undefined) return cancelled(job, cancellation)
    if (run.isInterrupted()) return released
    if (job.crashes >= mostCrashes) {
      return dead(
        { code: JobProblemCode.crashed, message: `the worker died ${job.crashes} times while this job ran` },
        false
      )
    }
    try {
      const handler = findHandler(job.jobType, job.connectionId)
      if (handler === undefined) {
        return dead({ code: JobProblemCode.typeUnknown, message: `no handler for job type '${job.jobType}'` }, false)
      }
      if (handler === 'later') {
        return waiting(
          { code: JobProblemCode.adapterMissing, message: `the adapter that runs '${job.jobType}' is not loaded` },
          waitForAdapterMs,
          false
        )
      }
      return { end: { kind: 'succeeded', outcome: await run.execute(handler) } }
    } catch (error) {
      return concludeFailure(run, error)
    }
  }

  async function concludeFailure (run: Run, error: unknown): Promise<Conclusion> {
    const { job } = run
    const cancellation = run.cancellation()
    if (cancellation !== undefined) return cancelled(job, cancellation)
    const decision = decide(error, job, random)
    if (run.isInterrupted() && decision.kind !== 'dead') return released
    report(job, run.adapter(), decision, error)
    switch (decision.kind) {
      case 'dead':
        return dead(decision.problem, true)
      case 'retry': {
        const { delayMs, problem } = decision
        return { putBack: { delayMs, resumesWithConnection: false, isFailure: true, problem } }
      }
      case 'await': {
        const { waitsFor, problem } = decision
        const { delayMs = 0 } = waitsFor
        return { putBack: { delayMs, resumesWithConnection: false, waitsFor, isFailure: false, problem } }
      }
      case 'refused':
        return waiting(decision.problem, await suspend(job, decision), true)
      case 'wait':
        return waiting(decision.problem, decision.delayMs, decision.resumesWithConnection)
    }
  }

  function cancelled ({ id, jobType, connectionId }: ClaimedJob, cancellation: Cancellation): Conclusion {
    log.info({ jobId: id, jobType, connectionId, ...cancellation }, 'job cancelled')
    return { end: { kind: 'cancelled', problem: problemOf(cancellation) } }
  }

  /** Returns the time after which the job may run again if its connection is active then. */
  async function suspend (
    job: ClaimedJob,
    { refused, problem }: RetryDecision & { kind: 'refused' }
  ): Promise<number> {
    const { connectionId } = refused
    try {
      await onAuthenticationFailure(refused, problem.message)
    } catch (failure) {
      log.error({ err: failure, connectionId }, 'a connection whose credentials are refused could not be set to error')
      return unresolvedWaitMs
    }
    // Retry soon only if the refused connection is that of the job: it is active only with other
    // credentials.
    return connectionId === job.connectionId ? replacedWaitMs : unresolvedWaitMs
  }

  function report (
    job: ClaimedJob,
    adapter: string | undefined,
    { kind, problem }: RetryDecision,
    error: unknown
  ): void {
    const fields = { jobId: job.id, jobType: job.jobType, connectionId: job.connectionId, adapter, code: problem.code }
    if (kind === 'dead') log.warn({ ...fields, err: error }, 'job died')
    // An error without a code is a programming error: log its stack for the author.
    else if (problem.code === JobProblemCode.failed) log.warn({ ...fields, err: error }, 'job will run again')
    // At the level of info nobody sees that the credentials do not open, and no job succeeds.
    else if (problem.code === HubErrorCode.configurationInvalid) {
      log.warn({ ...fields, reason: problem.message }, 'job will run again')
    } else log.info({ ...fields, reason: problem.message }, 'job will run again')
  }

  function store ({ job, adapter, calls }: Run, conclusion: Conclusion, isAlone: boolean): Promise<boolean> {
    if ('putBack' in conclusion) return settle.putBack(job, withCalls(conclusion.putBack, calls('failed')), adapter())
    const { end } = conclusion
    const kept = calls(end.kind === 'succeeded' ? 'succeeded' : 'failed')
    return settle.end(job, withCalls(end, kept), adapter(), isAlone)
  }

  /**
   * Stores the conclusion and returns it, or undefined when another worker has the job. A success
   * whose effects or follow-ups are refused counts as a failed run. Tries again while the database
   * does not answer.
   */
  async function storeSurely (run: Run, conclusion: Conclusion): Promise<Conclusion | undefined> {
    for (let current = conclusion, tries = 1;; tries++) {
      try {
        // Other jobs may be the reason why the first try failed.
        const isStored = await store(run, current, tries > 1)
        if (isStored && 'putBack' in current) onPutBack(current.putBack.delayMs)
        if (isStored) return current
        const cancellation = 'putBack' in current ? await settle.cancellationOf(run.job) : undefined
        if (cancellation === undefined) return undefined
        current = cancelled(run.job, cancellation)
      } catch (error) {
        if (isInfrastructureError(error) && tries < mostTries && !run.isInterrupted()) await sleep(storeAgainMs)
        else if ('end' in current && current.end.kind === 'succeeded') current = await concludeFailure(run, error)
        else throw error
      }
    }
  }

  return async function runToEnd (run) {
    const fields = { jobId: run.job.id, jobType: run.job.jobType }
    try {
      const startedAt = performance.now()
      const conclusion = await conclude(run)
      const seconds = (performance.now() - startedAt) / 1_000
      onConcluded(run)
      const stored = await storeSurely(run, conclusion)
      if (stored === undefined) {
        log.warn(fields, 'another worker has this job now; the hub discards the results of this run')
      } else {
        const { jobType, connectionId } = run.job
        onSettled?.({ jobType, seconds, ...describe(stored, run.adapter()) }, connectionId)
      }
    } catch (error) {
      log.error(
        { ...fields, err: error },
        'the end of a run could not be stored; the job runs again when its claim lapses'
      )
    }
  }
}

function describe (
  conclusion: Conclusion,
  adapter: string | undefined
): Pick<SettledRun, 'adapter' | 'ending' | 'code' | 'hasFailed'> {
  if ('putBack' in conclusion) {
    const { problem, waitsFor } = conclusion.putBack
    const isInOrder = problem === undefined || problem.code === AdapterErrorCode.writeUnderWay
    const hasFailed = !isInOrder && (waitsFor === undefined || waitsFor.keepsError === true)
    return { adapter, ending: 'put back', code: problem?.code, hasFailed }
  }
  const { end } = conclusion
  return end.kind === 'succeeded'
    ? { adapter: end.outcome.adapter ?? adapter, ending: 'succeeded', code: undefined, hasFailed: false }
    : { adapter, ending: end.kind, code: end.problem.code, hasFailed: end.kind === 'dead' }
}

function withCalls<Stored extends End | PutBack> (stored: Stored, kept: KeptCalls | undefined): Stored {
  return kept === undefined ? stored : { ...stored, kept }
}

function dead (problem: Problem, isFailure: boolean): Conclusion {
  return { end: { kind: 'dead', problem, isFailure } }
}

function waiting (problem: Problem, delayMs: number, resumesWithConnection: boolean): Conclusion {
  return { putBack: { delayMs, resumesWithConnection, isFailure: false, problem } }
}
