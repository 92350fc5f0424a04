import { readAgain } from '../stock/jobs.ts'
import { implementJob } from './implement-job.ts'

/**
 * Makes the job that reads the object. Does not read the object itself, because only the new job
 * excludes other jobs on the object.
 */
export default implementJob(readAgain, async ({ id, connectionId, payload: { jobType, externalId } }) => ({
  followUps: [{ jobType, connectionId, payload: { externalId }, idempotencyKey: `due:${id}` }]
}))
