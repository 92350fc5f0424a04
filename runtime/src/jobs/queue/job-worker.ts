import { setTimeout as sleep } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { actAsHub } from '../../audit/actor.ts'
import type { Database } from '../../database/database.ts'
import type { Intake } from '../../streams/intake.ts'
import type { EnqueueJobs } from '../enqueue.ts'
import type { Lane } from '../job.ts'
import type { JobLog } from '../log.ts'
import type { FindDeathEffects } from '../running-job.ts'
import { createClaims, type ClaimedJob } from './claim.ts'
import { createRun, type Run, type RunLimits } from './job-run.ts'
import { createRunToEnd, type RunToEndOptions } from './run-to-end.ts'
import { createSettle } from './settle.ts'
import { findCancellations, markAlive } from './store.ts'

export interface JobWorkerOptions
  extends
    Pick<RunToEndOptions, 'findHandler' | 'onAuthenticationFailure' | 'onSettled' | 'random'>,
    Pick<RunLimits, 'tracing'>
{
  database: Database
  enqueueJobs: EnqueueJobs
  findDeathEffects?: FindDeathEffects | undefined
  log: JobLog
  /** Handlers at the same time in this process. */
  concurrency: number
  /** Jobs of one connection at the same time, in all processes together. */
  perConnection: number
  /**
   * The signal of a run aborts then. When the handler goes on, the worker stops waiting for it
   * `graceMs` later.
   */
  deadlineMs: number
  graceMs: number
  now: () => Date
  /** How long runs may take to end after `stop()`. */
  stopMs: number
  /** Awaited before jobs are claimed. Default: resolves at once. */
  giveWay?: Intake['giveWay'] | undefined
}

export interface JobWorker {
  start(): void
  /**
   * Claims no more jobs, aborts the signals and waits for the runs. A run that does not end in time
   * goes back into the queue and loses no attempt.
   */
  stop(): Promise<void>
}

const pollMs = 1_000
const heartbeatMs = 5_000
// While most of many slots are busy, one claim in this time takes all that become free.
const claimEveryMs = 20
const manySlots = 20
// Fewer handlers seldom end within the same 20 ms.
const manyHandlers = 5
const mostStoring = 50
const lanes: readonly Lane[] = ['command', 'state']

/**
 * Runs jobs: claims as many as it has free slots, when `database.notify('jobs')` wakes it, when a
 * handler or a run ends, and every second. A dead worker leaves no hint which job killed it. So all
 * of its jobs are suspects, and suspects run one at a time in each lane: the culprit soon crashes
 * alone, and the innocent jobs are not given up with it.
 */
export function createJobWorker (options: JobWorkerOptions): JobWorker {
  const { database, log, concurrency, perConnection, deadlineMs, graceMs, stopMs, tracing, now, giveWay } = options
  const claims = createClaims(database)
  const running = new Map<Run, Promise<void>>()
  // Runs whose handler has ended, and whose end is being stored.
  const concluded = new Set<Run>()
  const settle = createSettle({ ...options, isMoreExpected: () => running.size - concluded.size >= manyHandlers })
  const runToEnd = createRunToEnd({ ...options, settle, onPutBack: wakeAfter, onConcluded })
  const stops: (() => void)[] = []
  let filling: Promise<void> | undefined
  let isWanted = false
  let lastClaimAt = Number.NEGATIVE_INFINITY
  let mayHaveSuspects = true
  let isStopping = false

  function wake (): void {
    isWanted = true
    filling ??= fill().finally(() => {
      filling = undefined
      if (isWanted && !isStopping) wake()
    })
  }

  // The look every second finds later jobs.
  function wakeAfter (delayMs: number): void {
    if (delayMs < pollMs) setTimeout(wake, delayMs).unref()
  }

  function onConcluded (run: Run): void {
    concluded.add(run)
    wake()
  }

  // A run needs its slot no longer than its handler. While the database is slow, at most twice as
  // many runs as slots are under way, and at most 50 more.
  function freeSlots (): number {
    const mostRuns = concurrency + Math.min(concurrency, mostStoring)
    return Math.min(concurrency - (running.size - concluded.size), mostRuns - running.size)
  }

  async function fill (): Promise<void> {
    // Runs that were settled by one statement free their slots one after the other: take them all
    // with one claim.
    await new Promise(setImmediate)
    if (freeSlots() <= 0) {
      // The next handler or run that ends wakes the worker.
      isWanted = false
      return
    }
    await gatherSlots()
    await giveWay?.()
    isWanted = false
    if (freeSlots() <= 0 || isStopping) return
    try {
      if (mayHaveSuspects) await takeSuspects()
      if (freeSlots() > 0) { for (const job of await claims.jobs({ slots: freeSlots(), perConnection })) begin(job) }
    } catch (error) {
      log.warn({ err: error }, 'taking jobs from the queue failed; trying again')
    }
  }

  async function gatherSlots (): Promise<void> {
    const pauseMs = lastClaimAt + claimEveryMs - performance.now()
    if (pauseMs > 0 && concurrency >= manySlots && freeSlots() < concurrency / 2) await sleep(pauseMs)
    lastClaimAt = performance.now()
  }

  async function takeSuspects (): Promise<void> {
    mayHaveSuspects = false
    const busy = new Set([...running.keys()].filter(({ job }) => job.isSuspect).map(({ job }) => job.lane))
    for (const lane of lanes) {
      if (!busy.has(lane) && freeSlots() > 0) {
        for (const job of await claims.suspect(lane, { perConnection })) begin(job)
      }
    }
  }

  function begin (job: ClaimedJob): void {
    const run = createRun(job, { deadlineMs, graceMs, tracing, now, onAbandoned: reportAbandoned })
    if (isStopping) run.interrupt()
    running.set(
      run,
      actAsHub(() => runToEnd(run)).finally(() => {
        running.delete(run)
        concluded.delete(run)
        mayHaveSuspects ||= job.isSuspect
        wake()
      })
    )
  }

  function reportAbandoned ({ job, adapter, cancellation }: Run): void {
    const when = cancellation() === undefined ? 'at its deadline' : 'when its job was cancelled'
    log.error(
      { jobId: job.id, jobType: job.jobType, connectionId: job.connectionId, adapter: adapter() },
      `a handler did not end ${when}; the worker no longer waits for it`
    )
  }

  async function keepClaims (): Promise<void> {
    const runs = [...running.keys()]
    if (runs.length === 0) return
    try {
      const lost = new Set(await markAlive(database.query, runs.map(run => run.job)))
      for (const run of runs) if (lost.has(run.job)) run.interrupt()
      // A wake-up may be lost.
      await stopCancelled()
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat of running jobs could not be stored')
    }
  }

  async function stopCancelled (): Promise<void> {
    const runs = [...running.keys()]
    if (runs.length === 0) return
    const cancellations = await findCancellations(database.query, runs.map(run => run.job))
    for (const run of runs) {
      const cancellation = cancellations.get(run.job)
      if (cancellation !== undefined) run.cancel(cancellation)
    }
  }

  function lookForCancelled (): void {
    stopCancelled().catch((error: unknown) => {
      log.warn({ err: error }, 'looking for cancelled jobs failed; the next heartbeat looks again')
    })
  }

  return {
    start () {
      const poll = setInterval(() => {
        mayHaveSuspects = true
        wake()
      }, pollMs)
      const heartbeat = setInterval(keepClaims, heartbeatMs)
      stops.push(
        () => {
          clearInterval(poll)
        },
        () => {
          clearInterval(heartbeat)
        },
        database.listen('jobs', wake),
        database.listen('cancellations', lookForCancelled)
      )
      wake()
    },
    async stop () {
      isStopping = true
      for (const stop of stops) stop()
      await filling
      for (const run of running.keys()) run.interrupt()
      const ended = Promise.all(running.values())
      if (stopMs > 0) await pTimeout(ended, { milliseconds: stopMs, message: false })
      for (const run of running.keys()) run.giveUp()
      await ended
    }
  }
}
