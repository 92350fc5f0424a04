import type { OrderProcessorManager } from '@linker/sdk'
import type { MarketplaceClient } from '../client.ts'
import { maskedMailDomains, type MarketplaceContext } from '../config.ts'
import { ofOrder } from '../errors.ts'
import { fetchOrder } from './fetch.ts'
import { updateFulfillment } from './fulfillment.ts'
import { readOrder } from './read.ts'
import { addShipments } from './shipments.ts'

/** Only buyers make orders on a marketplace: the hub reads them and reports their status. */
export function createOrderProcessorManager (
  client: MarketplaceClient,
  { platform }: MarketplaceContext
): OrderProcessorManager {
  return {
    async getOrder (externalId) {
      const form = await ofOrder(() => fetchOrder(client, externalId))
      return readOrder(form, maskedMailDomains(platform))
    },
    updateOrderStatus: (externalId, status) => ofOrder(() => updateFulfillment(client, externalId, status)),
    addTracking: (externalId, tracking) => ofOrder(() => addShipments(client, externalId, tracking))
  }
}
