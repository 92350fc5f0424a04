import { quantityJobsOf } from '../offers/quantity-jobs.ts'
import { propagateStock } from '../stock/jobs.ts'
import { implementHubJob } from './implement-job.ts'

/** Makes one quantity job for each offer that sells the variant. */
export default implementHubJob(propagateStock, async ({ payload, requestId }, { offerReads }) => {
  const { variantId, receivedAt } = payload
  const followUps = quantityJobsOf(await offerReads.versionsOf(variantId), { requestId, receivedAt })
  return { result: { offers: followUps.length }, followUps }
})
