import { JobCancelledError, JobQueuedError, JobRunningError, JobSucceededError, JobWaitingError } from '../../errors.ts'
import type { JobStatus } from '../job.ts'

/** The error for each status that does not allow an operation. A dead job allows all. */
export const stateErrors = {
  queued: JobQueuedError,
  waiting: JobWaitingError,
  running: JobRunningError,
  succeeded: JobSucceededError,
  cancelled: JobCancelledError
} satisfies Record<Exclude<JobStatus, 'dead'>, unknown>
