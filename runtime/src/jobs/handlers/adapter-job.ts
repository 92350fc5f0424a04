import { Product, RejectedError, StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { recordProducts } from '../../catalog/record-products.ts'
import { readAgainJobs } from '../../stock/read-again.ts'
import { recordStock } from '../../stock/record-stock.ts'
import { callJob, type CoreHandler } from './handler.ts'
import { parseAnswer } from './payload.ts'

const Outcome = Type.Union([Type.Undefined(), Type.Object({
  products: Type.Optional(Type.Array(Product)),
  stock: Type.Optional(Type.Array(StockLevel)),
  result: Type.Optional(Type.Unknown())
}, { additionalProperties: false })])

/** A job type that belongs to a platform: its adapter finds out, the runtime stores what it found. */
export const runAdapterJob: CoreHandler = async (job, services) => {
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  const connectionId = job.connectionId
  const opened = await services.connections.openEnabled(connectionId)
  const readAtMs = services.now().getTime()
  const answer = await callJob(services, job, opened)
  const outcome = parseAnswer(Outcome, job.jobType, answer)
  return {
    ...(outcome?.stock === undefined ? {} : { followUps: readAgainJobs({ ...job, connectionId }, opened.adapter.description.webhooks?.windowMs, readAtMs) }),
    result: outcome?.result ?? { products: outcome?.products?.length ?? 0, variants: outcome?.stock?.length ?? 0 },
    effects: async transaction => {
      await recordProducts(transaction, connectionId, outcome?.products ?? [])
      return recordStock(transaction, connectionId, outcome?.stock ?? [], job.requestId)
    }
  }
}
