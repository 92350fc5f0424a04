import { AdapterErrorCode, defineJob, isAdapterError, type StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { ShopClient } from '../client.ts'
import type { Config, Credentials, ShopContext } from '../config.ts'
import { createInventoryMaster } from './inventory-master.ts'
import { createStockReader } from './reader.ts'

// `externalId` is the product's id, even when a single combination changed. The hub also sends the
// event's other members.
const ExternalId = Type.String({ minLength: 1, maxLength: 64 })
const Payload = Type.Object({ externalId: ExternalId }, { additionalProperties: true })

/**
 * Reads the stock of one product again, and that of the packs that contain it. When the shop has
 * deleted the product, the hub's quantities stay as they are, because the shop no longer says which
 * variants it had. The hub's sweep knows them and sets them to zero.
 */
export const syncInventory = defineJob<typeof Payload, ShopClient, Config, Credentials>({
  payload: Payload,
  capabilities: ['InventoryMaster'],
  async run (client, job, context) {
    const { externalId } = job.payload
    try {
      const stock = await createInventoryMaster(client, context).getStock(externalId)
      return { stock: [...stock, ...await readPacks(client, context, externalId)] }
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound) throw error
      return { result: { externalId, found: false, message: `${error.message}; no quantity was changed` } }
    }
  }
})

async function readPacks (client: ShopClient, context: ShopContext, partId: string): Promise<StockLevel[]> {
  const reader = createStockReader(client, context)
  return reader.knownLevels((await reader.readPacksOf(partId)).values())
}
