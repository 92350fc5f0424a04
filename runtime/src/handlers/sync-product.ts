import { Product, RejectedError } from '@linker/sdk'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { syncProduct } from '../catalog/jobs.ts'
import { readAgainJobs } from '../stock/read-again.ts'
import { recordCatalog } from '../stock/record-catalog.ts'
import { callCapability } from './call-adapter.ts'
import { implementJob } from './implement-job.ts'

/** Reads one product from its master shop and stores it. */
export default implementJob(syncProduct, async (job, services) => {
  const { connectionId, payload: { externalId } } = job
  const opened = await services.connections.openEnabled(connectionId)
  const readAtMs = services.now().getTime()
  const answer = await callCapability(services, job, opened, 'ProductMaster', 'getProduct', externalId)
  const product = parseAnswer(Product, 'ProductMaster.getProduct', answer)
  if (product.externalId !== externalId) {
    throw new RejectedError(`the adapter returned product '${product.externalId}' instead of '${externalId}'`)
  }
  return {
    result: { variants: product.variants.length },
    followUps: readAgainJobs(job, opened.adapter.description.webhooks?.windowMs, readAtMs),
    effects: transaction => recordCatalog(transaction, connectionId, [product], job.requestId)
  }
})
