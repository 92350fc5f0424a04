import { HubErrorCode } from '../jobs/retry-policy.ts'
import type { JobHandler, JobOutcome } from '../jobs/running-job.ts'

const skipped: JobOutcome = { result: { skipped: 'the connection was deleted' } }

/**
 * Ends a job without effect when its connection is deleted. A deletion cancels the jobs that wait;
 * this one was made or claimed at the same time.
 */
export function skipDeleted (
  handler: JobHandler,
  isDeleted: (connectionId: string) => Promise<boolean>
): JobHandler {
  return async job => {
    try {
      return await handler(job)
    } catch (error) {
      const { connectionId } = job
      if (connectionId !== null && isNotFound(error) && await isDeleted(connectionId)) return skipped
      throw error
    }
  }
}

function isNotFound (error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === HubErrorCode.connectionNotFound
}
