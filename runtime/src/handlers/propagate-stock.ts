import { quantityJobs } from '../offers/quantity-jobs.ts'
import { propagateStock } from '../stock/jobs.ts'
import { implementJob } from './implement-job.ts'

/** Makes one quantity job for each offer that sells the variant. */
export default implementJob(propagateStock, async ({ payload: { variantId }, requestId }, { database }) => {
  const followUps = await quantityJobs(database.query, { variantId }, requestId)
  return { result: { offers: followUps.length }, followUps }
})
