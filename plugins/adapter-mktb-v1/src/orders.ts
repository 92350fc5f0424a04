import type { HttpClient, OrderSource, OrderStatusChange, WriteBack } from '@linker/sdk'
import type { MarketplaceContext } from './config.ts'
import { acknowledge, listUnread } from './inbox.ts'
import { listOrders } from './list-orders.ts'
import { orderPath } from './order-path.ts'
import { addTracking } from './parcels.ts'
import { readOrder } from './read-order.ts'
import { readAnswer } from './write-answer.ts'

/** What the marketplace calls the seller's status. It spells `canceled` here and `cancelled` in the order's own. */
const sellerStatuses: Readonly<Record<OrderStatusChange, string>> = { processing: 'inProgress', shipped: 'sent', delivered: 'received', cancelled: 'canceled' }

export function createOrderSource (http: HttpClient, context: MarketplaceContext): Required<OrderSource> {
  const { config, log } = context

  async function writeBack (write: () => Promise<void>): Promise<WriteBack> {
    if (config.orderWriteBack !== true) return { skipped: 'config.orderWriteBack is off' }
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

    updateOrderStatus: (externalId, status) => writeBack(async () => {
      // 409: it is so already.
      readAnswer(await http.request({ method: 'PATCH', path: `${orderPath(externalId)}/status`, body: { status: sellerStatuses[status] }, accept: [409] }))
    }),

    addTracking: (externalId, tracking) => writeBack(() => addTracking(http, context, externalId, tracking))
  }
}
