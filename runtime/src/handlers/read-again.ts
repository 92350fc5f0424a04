import { readAgain } from '../stock/jobs.ts'
import { implementJob } from './implement-job.ts'

/**
 * Makes the job that reads the object, at its time. It does not read itself, because only the other
 * job excludes jobs on the same object.
 */
export default implementJob(readAgain, async ({ id, connectionId, payload: { jobType, externalId } }) => ({
  followUps: [{ jobType, connectionId, payload: { externalId }, idempotencyKey: `due:${id}` }]
}))
