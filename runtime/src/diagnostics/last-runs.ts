import type { LastRun } from '../jobs/activity/store.ts'
import { directionOf } from './directions.ts'
import type { Run } from './schemas.ts'

export interface LastOfDirection {
  lastSuccess: Run | null
  lastFailure: Run | null
}

/** The last run in a direction that succeeded, and the last that failed. */
export function lastRuns (runs: readonly LastRun[], direction: 'in' | 'out'): LastOfDirection {
  const ofDirection = runs.filter(({ jobType }) => directionOf(jobType) === direction)
  return {
    lastSuccess: runOf(latest(ofDirection.filter(({ hasSucceeded }) => hasSucceeded))),
    lastFailure: runOf(latest(ofDirection.filter(({ hasSucceeded }) => !hasSucceeded)))
  }
}

/** When a schedule last read the platform, whatever the result. */
export function lastPollAt (runs: readonly LastRun[]): string | null {
  const polls = runs.filter(({ jobType, isScheduled }) => isScheduled && directionOf(jobType) === 'in')
  return latest(polls)?.at ?? null
}

function latest (runs: readonly LastRun[]): LastRun | undefined {
  return runs.reduce<LastRun | undefined>((last, run) => last === undefined || run.at > last.at ? run : last, undefined)
}

function runOf (run: LastRun | undefined): Run | null {
  if (run === undefined) return null
  const { jobId, jobType, at, problem } = run
  return { jobId, jobType, at, problem: problem && { code: problem.code, message: problem.message } }
}
