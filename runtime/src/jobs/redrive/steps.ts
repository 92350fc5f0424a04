import { actAsHub } from '../../audit/actor.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { isInfrastructureError } from '../../database/infrastructure-error.ts'
import { runRegularly, type RegularRuns } from '../../run-regularly.ts'
import type { JobLog } from '../log.ts'
import { inOneTransaction } from '../operation/in-one-operation.ts'
import type { FindObstacles } from '../operation/obstacles.ts'
import { createRetryLocked, type RetryLockedOptions } from '../operation/retry-locked.ts'
import { lockJobs } from '../operation/store.ts'
import { mostInOneStep, nextStep, paceOf, type Step } from './next-step.ts'
import { planJobs } from './plan-jobs.ts'
import {
  closeRedrive,
  findOpen,
  lockForStep,
  nextItems,
  noteEnds,
  recount,
  restAfterStep,
  storeFates,
  type DecidedFate,
  type LockedRedrive
} from './store.ts'

export interface StepsOptions extends RetryLockedOptions {
  database: Database
  findObstacles: FindObstacles
  log: JobLog
}

/** Why a job did not run again. */
const failed = 'retry-failed'
const mostWithEffects = 25

interface StepLimits {
  most: number
  /** Skips the job at this position instead of running jobs again. */
  skips?: number | undefined
  /** Called with the position of the first job that the step takes. */
  onFirst?: (position: number) => void
}

/**
 * The result of a step. `afterMs` says when the next step is due; undefined: this process has no
 * more to do.
 */
interface Taken {
  retried: number
  afterMs: number | undefined
  /** The hub has no more work with the redrive. */
  isLast?: boolean
}

const nothing: Taken = { retried: 0, afterMs: undefined }
const again: Taken = { retried: 0, afterMs: 0 }

/**
 * Returns the function that takes the next step of a redrive, in one transaction: it runs jobs
 * again and notes which. When the process dies, another one continues after the last whole step.
 */
export function createSteps ({ database, findObstacles, log, ...options }: StepsOptions) {
  const retryLocked = createRetryLocked(options)

  async function retryNext (
    transaction: Transaction,
    redrive: LockedRedrive,
    { most, skips, onFirst }: StepLimits
  ): Promise<number> {
    const { query } = transaction
    const { id, requestId } = redrive
    const items = await nextItems(query, id, most)
    const [first] = items
    if (skips !== undefined) {
      if (first?.position === skips) await storeFates(query, id, [{ position: skips, fate: 'skipped', reason: failed }])
      return 0
    }
    if (first !== undefined) onFirst?.(first.position)
    const locked = await lockJobs(query, items.map(({ jobId }) => jobId))
    const { eligible, skipped } = planJobs(items, locked, {
      obstacleOf: await findObstacles(query, [...new Set(locked.map(({ connectionId }) => connectionId))]),
      hasEffects: jobType => options.findRetryEffects(jobType) !== undefined,
      mostWithEffects
    })
    const jobs = eligible.map(({ job }) => job)
    await retryLocked(transaction, jobs, { operationId: id, requestId: requestId ?? undefined })
    const fates: DecidedFate[] = [
      ...eligible.map(({ position }) => ({ position, fate: 'retried' as const })),
      ...skipped.map(({ position, reason }) => ({ position, fate: 'skipped' as const, reason }))
    ]
    await storeFates(query, id, fates)
    return jobs.length
  }

  async function act (
    transaction: Transaction,
    redrive: LockedRedrive,
    step: Step,
    { most, ...limits }: StepLimits
  ): Promise<Taken> {
    const { query } = transaction
    const { id, perMinute } = redrive
    switch (step.kind) {
      case 'look':
        return { retried: 0, afterMs: step.afterMs }
      case 'end':
        await closeRedrive(query, id, step.state)
        return { ...nothing, isLast: true }
      case 'retry': {
        const retried = await retryNext(transaction, redrive, { most: Math.min(step.most, most), ...limits })
        const { restMs } = paceOf(perMinute)
        if (retried > 0 && restMs > 0) await restAfterStep(query, id, restMs)
        return { retried, afterMs: retried > 0 ? restMs : 0 }
      }
    }
  }

  async function takeIn (transaction: Transaction, id: string, limits: StepLimits): Promise<Taken> {
    const { query } = transaction
    const redrive = await lockForStep(query, id)
    if (redrive === undefined) return nothing
    let { figures } = redrive
    let step = nextStep(redrive, figures)
    if (step.kind !== 'retry') {
      await noteEnds(query, id)
      figures = await recount(query, id, figures)
      step = nextStep(redrive, figures)
    }
    const taken = await act(transaction, redrive, step, limits)
    if (step.kind === 'retry') await recount(query, id, figures)
    return taken
  }

  async function takeStep (id: string, limits: StepLimits): Promise<Taken> {
    const taken = await inOneTransaction(database, transaction => takeIn(transaction, id, limits))
    if (taken.retried > 0) database.notify('jobs')
    if (taken.isLast === true) log.info({ redriveId: id }, 'a redrive of dead jobs rests or has ended')
    return taken
  }

  async function skip (id: string, position: number | undefined, error: unknown): Promise<Taken> {
    if (position === undefined) throw error
    log.error({ err: error, redriveId: id }, 'a dead job could not run again; its redrive skips it')
    return takeStep(id, { most: 1, skips: position })
  }

  /**
   * Works on a redrive until it has to wait. Returns the time until the next step is due. One job
   * must not keep the others from running: after a step that failed, it takes the jobs one by one,
   * and skips the one that fails alone.
   */
  return async function advance (id: string, signal: AbortSignal): Promise<number | undefined> {
    let smallSteps = 0
    while (!signal.aborted) {
      const isSmall = smallSteps > 0
      smallSteps = Math.max(0, smallSteps - 1)
      let first: number | undefined
      let taken = again
      try {
        taken = await takeStep(id, {
          most: isSmall ? 1 : mostInOneStep,
          onFirst (position) {
            first = position
          }
        })
      } catch (error) {
        if (isInfrastructureError(error)) throw error
        if (isSmall) taken = await skip(id, first, error)
        smallSteps = isSmall ? 0 : mostInOneStep
      }
      if (taken.afterMs !== 0) return taken.afterMs
    }
    return undefined
  }
}

const pollMs = 1_000

/**
 * Works on the open redrives of all processes, whoever began them. A redrive whose process died is
 * open still.
 */
export function runSteps (options: StepsOptions): RegularRuns {
  const { database: { query }, log } = options
  const advance = createSteps(options)
  /** When this process looks at a redrive again, by `performance.now()`. */
  const dueAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  /** A redrive that fails must not keep the others from running. */
  async function tryToAdvance (id: string, signal: AbortSignal): Promise<number | undefined> {
    return advance(id, signal).catch((error: unknown) => {
      log.warn({ err: error, redriveId: id }, 'running dead jobs again failed; trying again')
      return undefined
    })
  }

  async function work (signal: AbortSignal): Promise<void> {
    const open = await findOpen(query)
    for (const id of dueAt.keys()) if (!open.includes(id)) dueAt.delete(id)
    for (const id of open) {
      if ((dueAt.get(id) ?? 0) > performance.now()) continue
      const afterMs = await tryToAdvance(id, signal)
      if (afterMs === undefined) dueAt.delete(id)
      else dueAt.set(id, performance.now() + afterMs)
    }
    const soonestMs = Math.min(...dueAt.values()) - performance.now()
    clearTimeout(timer)
    if (soonestMs < pollMs && !signal.aborted) {
      timer = setTimeout(regular.runNow, Math.max(1, Math.ceil(soonestMs))).unref()
    }
  }

  const regular = runRegularly({
    run: signal => actAsHub(() => work(signal)),
    everyMs: pollMs,
    warning: 'looking for redrives failed; trying again',
    log
  })
  return {
    runNow: regular.runNow,
    async stop () {
      clearTimeout(timer)
      await regular.stop()
    }
  }
}
