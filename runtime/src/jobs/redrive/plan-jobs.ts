import type { ObstacleOf } from '../operation/obstacles.ts'
import type { LockedJob } from '../operation/store.ts'
import type { SkipReason } from './schemas.ts'

/** A job that a redrive has not reached. */
export interface RedriveItem {
  position: number
  jobId: string
  /** When it had died as the redrive began, as PostgreSQL writes it. */
  diedAt: string | null
}

/** A job that does not run again, and why. */
export interface SkippedItem {
  position: number
  reason: SkipReason
}

export interface JobsPlan {
  eligible: { position: number, job: LockedJob }[]
  skipped: SkippedItem[]
}

export interface PlanOptions {
  obstacleOf: ObstacleOf
  /** Whether running a job of this type again writes more than the job. */
  hasEffects(jobType: string): boolean
  /** Most of these jobs: their transaction locks orders and offers until it ends. */
  mostWithEffects: number
}

/**
 * Decides what becomes of the next jobs of a redrive, in their order. Ends early when enough of
 * them have effects; the later ones are left for the next step.
 */
export function planJobs (
  items: readonly RedriveItem[],
  locked: readonly LockedJob[],
  { obstacleOf, hasEffects, mostWithEffects }: PlanOptions
): JobsPlan {
  const jobs = new Map(locked.map(job => [job.askedId, job]))
  const plan: JobsPlan = { eligible: [], skipped: [] }
  let withEffects = 0
  for (const item of items) {
    const { position } = item
    const job = jobs.get(item.jobId)
    const reason = reasonToSkip(item, job, obstacleOf)
    if (job === undefined || reason !== undefined) {
      plan.skipped.push({ position, reason: reason ?? 'job-not-found' })
      continue
    }
    withEffects += Number(hasEffects(job.jobType))
    if (withEffects > mostWithEffects) break
    plan.eligible.push({ position, job })
  }
  return plan
}

/**
 * Only a job that is still dead as it was runs again: somebody may have run it again since, even if
 * it died of that.
 */
function reasonToSkip (
  { diedAt }: RedriveItem,
  job: LockedJob | undefined,
  obstacleOf: ObstacleOf
): SkipReason | undefined {
  if (job === undefined) return 'job-not-found'
  const isSame = job.id === job.askedId && job.coalescedInto === null && job.diedAt === diedAt
  return job.status === 'dead' && isSame ? obstacleOf(job) : 'not-dead'
}
