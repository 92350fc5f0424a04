import type { Order, OrderStatusChange, Page, PageRequest, Tracking } from '../schemas.ts'

/** The platform that fulfils orders. */
export interface OrderProcessorManager {
  getOrder (externalId: string): Promise<Order>
  /** Creates the order. `reference` is the hub's own id: a repeat with the same reference must find the first order, not make a second. */
  createOrder? (order: Order, options: { reference: string }): Promise<{ externalId: string }>
  /** Looks for an order made earlier with `reference`. The runtime asks before it repeats a creation of unknown outcome. */
  findOrder? (reference: string): Promise<{ externalId: string } | null>
  updateOrderStatus? (externalId: string, status: OrderStatusChange): Promise<void>
  addTracking? (externalId: string, tracking: Tracking): Promise<void>
  cancelOrder? (externalId: string): Promise<void>
  listOrders? (request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
}
