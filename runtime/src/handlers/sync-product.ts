import { Product, RejectedError } from '@linker/sdk'
import { recordProducts } from '../catalog/record-products.ts'
import { callCapability, type CoreHandler } from './call-adapter.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import { ExternalObject, parsePayload } from './payload.ts'

/** `master.product.syncByExternalId`: reads one product from its master shop and stores it. */
export const syncMasterProduct: CoreHandler = async (job, services) => {
  const { externalId } = parsePayload(ExternalObject, job.jobType, job.payload)
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  const connectionId = job.connectionId
  const opened = await services.connections.openEnabled(connectionId)
  const answer = await callCapability(services, job, opened, 'ProductMaster', 'getProduct', externalId)
  const product = parseAnswer(Product, 'ProductMaster.getProduct', answer)
  if (product.externalId !== externalId) {
    throw new RejectedError(`asked for product '${externalId}', got '${product.externalId}'`)
  }
  return {
    result: { variants: product.variants.length },
    effects: async transaction => {
      await recordProducts(transaction, connectionId, [product])
      return undefined
    }
  }
}
