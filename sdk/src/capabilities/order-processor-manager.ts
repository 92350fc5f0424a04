import type { CreatedOrder, NewOrder, Order, OrderStatusChange, Page, PageRequest, Tracking } from '../schemas.ts'

/** The platform that fulfils orders. */
export interface OrderProcessorManager {
  getOrder(externalId: string): Promise<Order>
  /**
   * Creates the order. `reference` is the hub's own id of it: a repeat with the same reference,
   * also one whose first answer was lost, must find the first order and not make a second. The
   * runtime never runs two at once for one reference.
   */
  createOrder?(order: NewOrder, options: { reference: string }): Promise<CreatedOrder>
  /**
   * Looks for an order made earlier with `reference`. The runtime asks before it repeats a creation
   * of unknown outcome. A search that fails throws: it never means that there is none.
   */
  findOrder?(reference: string): Promise<CreatedOrder | null>
  updateOrderStatus?(externalId: string, status: OrderStatusChange): Promise<void>
  addTracking?(externalId: string, tracking: Tracking): Promise<void>
  /** One that is cancelled already is success; one that was shipped is a `RejectedError`. */
  cancelOrder?(externalId: string): Promise<void>
  listOrders?(request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
}
