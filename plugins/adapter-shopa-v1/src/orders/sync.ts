import { AdapterErrorCode, defineJob, isAdapterError } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { ShopClient } from '../client.ts'
import type { Config, Credentials } from '../config.ts'
import { createOrderProcessorManager } from './order-processor-manager.ts'

// The hub also sends the event's other members.
const ExternalId = Type.String({ minLength: 1, maxLength: 64 })
const Payload = Type.Object({ externalId: ExternalId }, { additionalProperties: true })

/** Reads one order again. */
export const syncOrder = defineJob<typeof Payload, ShopClient, Config, Credentials>({
  payload: Payload,
  capabilities: ['OrderProcessorManager'],
  async run (client, job, context) {
    const { externalId } = job.payload
    try {
      return { orders: [await createOrderProcessorManager(client, context).getOrder(externalId)] }
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.notFound) throw error
      return { result: { externalId, found: false, message: `order ${externalId} does not exist in the shop` } }
    }
  }
})
