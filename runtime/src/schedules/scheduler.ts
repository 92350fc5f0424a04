import { setTimeout as delay } from 'node:timers/promises'
import pTimeout from 'p-timeout'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import type { EnqueueJobs } from '../jobs/enqueue.ts'
import type { JobLog } from '../jobs/log.ts'
import { backoffMs } from '../jobs/retry-policy.ts'
import type { Schedule } from './plan.ts'
import { slotAt, slotKey } from './slots.ts'

export interface SchedulerOptions {
  /** The schedules that fire now, of all connections. */
  readPlan(): Promise<readonly Schedule[]>
  enqueueJobs: EnqueueJobs
  now: () => Date
  random: () => number
  log: JobLog
}

export interface Scheduler {
  /** Looks every second until it is stopped. */
  start(): void
  /**
   * Makes the job of every slot that has begun and that this process has not handled yet. Rejects
   * while the database is away.
   */
  look(): Promise<void>
  /** A connection or a setting changed: the next look reads them anew. */
  wake(): void
  stop(): Promise<void>
}

const lookMs = 1_000
// This process sees a change by another process after this many looks at the latest.
const looksPerPlan = 10
const mostInBatch = 500
const mostBackoffDoublings = 2
const stopMs = 2_000

/**
 * Fires schedules. Every worker process has a scheduler and none is the leader: the key of a slot's
 * job lets only one process make it. A process remembers the slots that it has handled. Between
 * slots it therefore reads only the connections from the database, now and then.
 */
export function createScheduler ({ readPlan, enqueueJobs, now, random, log }: SchedulerOptions): Scheduler {
  const controller = new AbortController()
  const { signal } = controller
  let plan: readonly Schedule[] = []
  let fired = new Map<string, number>()
  let looks = 0
  let isPlanWanted = true
  let loop: Promise<void> = Promise.resolve()

  async function look (): Promise<void> {
    looks += 1
    if (isPlanWanted || looks >= looksPerPlan) await plans()
    const nowMs = now().getTime()
    const due = plan.filter(schedule => fired.get(nameOf(schedule)) !== slotAt(schedule, nowMs))
    for (let from = 0; from < due.length && !signal.aborted; from += mostInBatch) {
      await fire(due.slice(from, from + mostInBatch), nowMs)
    }
  }

  async function plans (): Promise<void> {
    // Clear the flag before the plan is read: a change during the reading needs another one.
    isPlanWanted = false
    try {
      plan = await readPlan()
      looks = 0
      fired = new Map(plan.flatMap(schedule => {
        const slot = fired.get(nameOf(schedule))
        return slot === undefined ? [] : [[nameOf(schedule), slot]]
      }))
    } catch (error) {
      isPlanWanted = true
      throw error
    }
  }

  /**
   * Stores the jobs in one batch. When one job makes the batch fail, stores each job alone, so that
   * the others do not suffer.
   */
  async function fire (due: readonly Schedule[], nowMs: number): Promise<void> {
    try {
      await enqueueJobs(due.map(schedule => ({
        jobType: schedule.job,
        connectionId: schedule.connectionId,
        payload: schedule.payload,
        idempotencyKey: slotKey(schedule, slotAt(schedule, nowMs))
      })))
    } catch (error) {
      if (isInfrastructureError(error)) throw error
      if (due.length > 1) {
        for (const schedule of due) await fire([schedule], nowMs)
        return
      }
      log.error(
        { err: error, schedule: due[0]?.name, connectionId: due[0]?.connectionId },
        'storing the job of a schedule failed; its next slot tries again'
      )
    }
    for (const schedule of due) fired.set(nameOf(schedule), slotAt(schedule, nowMs))
  }

  async function lookOn (): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        await look()
        failures = 0
      } catch (error) {
        if (failures === 0) log.warn({ err: error }, 'the schedules wait for the database; trying again')
        failures += 1
      }
      const pauseMs = failures === 0 ? lookMs : lookMs + backoffMs(Math.min(failures, mostBackoffDoublings), random)
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  return {
    look,
    start () {
      loop = lookOn()
    },
    wake () {
      isPlanWanted = true
    },
    async stop () {
      controller.abort()
      await pTimeout(loop, { milliseconds: stopMs, message: false })
    }
  }
}

function nameOf ({ connectionId, name, everyMs }: Schedule): string {
  return `${name}:${connectionId}:${everyMs}`
}
