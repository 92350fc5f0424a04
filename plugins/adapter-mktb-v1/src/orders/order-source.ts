import type { HttpClient, OrderSource, WriteBack } from '@linker/sdk'
import type { MarketplaceContext } from '../config.ts'
import { acknowledge, listUnread } from './inbox.ts'
import { listOrders } from './list.ts'
import { addTracking } from './parcels.ts'
import { orderPath } from './path.ts'
import { readOrder } from './read.ts'
import { updateSellerStatus } from './seller-status.ts'

export function createOrderSource (http: HttpClient, context: MarketplaceContext): Required<OrderSource> {
  const { config, log } = context

  async function writeBack (write: () => Promise<void>): Promise<WriteBack> {
    if (!config.orderWriteBack) return { skipped: 'config.orderWriteBack is off', setting: 'orderWriteBack' }
    await write()
    return undefined
  }

  return {
    listUnread: request => listUnread(http, log, request),

    acknowledge: events => acknowledge(http, events),

    async getOrder (externalId) {
      return readOrder(await http.json({ method: 'GET', path: orderPath(externalId) }))
    },

    listOrders: request => listOrders(http, log, request),

    updateOrderStatus: (externalId, status) => writeBack(() => updateSellerStatus(http, externalId, status)),

    addTracking: (externalId, tracking) => writeBack(() => addTracking(http, context, externalId, tracking))
  }
}
