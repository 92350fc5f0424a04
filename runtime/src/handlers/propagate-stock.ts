import { Type } from '@sinclair/typebox'
import { quantityJobs } from '../offers/quantity-jobs.ts'
import type { CoreHandler } from './call-adapter.ts'
import { Id, parsePayload } from './payload.ts'

const Payload = Type.Object({ variantId: Id })

/** `inventory.propagateToMarketplaces`: one quantity job for each offer that sells the variant. */
export const propagateStock: CoreHandler = async (job, services) => {
  const { variantId } = parsePayload(Payload, job.jobType, job.payload)
  const followUps = await quantityJobs(services.database.query, { variantId }, job.requestId)
  return { result: { offers: followUps.length }, followUps }
}
