import {
  JobCancelledError,
  JobDeadError,
  JobQueuedError,
  JobRunningError,
  JobSucceededError,
  JobWaitingError
} from '../../errors.ts'
import type { JobStatus } from '../job.ts'

/** The error for each status that does not allow an operation. */
export const stateErrors = {
  queued: JobQueuedError,
  waiting: JobWaitingError,
  running: JobRunningError,
  succeeded: JobSucceededError,
  dead: JobDeadError,
  cancelled: JobCancelledError
} satisfies Record<JobStatus, unknown>
