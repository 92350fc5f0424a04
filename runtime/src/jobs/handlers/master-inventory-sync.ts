import { RejectedError, StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { recordStock } from '../../stock/record-stock.ts'
import { callCapability, type CoreHandler } from './handler.ts'
import { ExternalObject, parseAnswer, parsePayload } from './payload.ts'

/** `master.inventory.syncByExternalId`: reads the stock of one product from its master shop and propagates what changed. */
export const syncMasterInventory: CoreHandler = async (job, services) => {
  const { externalId } = parsePayload(ExternalObject, job.jobType, job.payload)
  if (job.connectionId === null) throw new RejectedError(`${job.jobType} needs a connection`)
  const connectionId = job.connectionId
  const opened = await services.connections.openEnabled(connectionId)
  const answer = await callCapability(services, job, opened, 'InventoryMaster', 'getStock', externalId)
  const levels = parseAnswer(Type.Array(StockLevel), 'InventoryMaster.getStock', answer)
  return {
    result: { variants: levels.length },
    effects: transaction => recordStock(transaction, connectionId, levels, job.requestId)
  }
}
