import { AdapterErrorCode, defineJob, isAdapterError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { ShopClient } from '../client.ts'
import type { Config, Credentials } from '../config.ts'
import { createInventoryMaster } from './inventory-master.ts'

// `externalId` is the product's id, even when a single combination changed. The hub also sends the
// event's other members.
const ExternalId = Type.String({ minLength: 1, maxLength: 64 })
const Payload = Type.Object({ externalId: ExternalId }, { additionalProperties: true })

/**
 * Reads the stock of one product again. When the shop has deleted the product, the hub's quantities
 * stay as they are, because the shop no longer says which variants it had. The hub's sweep knows
 * them and sets them to zero.
 */
export const syncInventory = defineJob<typeof Payload, ShopClient, Config, Credentials>({
  payload: Payload,
  capabilities: ['InventoryMaster'],
  async run (client, job, context) {
    const { externalId } = job.payload
    try {
      return { stock: await createInventoryMaster(client, context).getStock(externalId) }
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound) throw error
      return { result: { externalId, found: false, message: `${error.message}; no quantity was changed` } }
    }
  }
})
