import type { Order, OrderEvent, OrderStatusChange, Tracking, WriteBack } from '../schemas/order.ts'
import type { Page, PageRequest } from '../schemas/values.ts'

/** A marketplace with an inbox of unread order events. */
export interface OrderSource {
  /**
   * Lists unread events, oldest first, including those that concern no order. Reading does not mark
   * them.
   */
  listUnread(request: { limit: number }): Promise<OrderEvent[]>
  /**
   * Marks events as read. The runtime calls it only after it has durably stored what the events
   * announce.
   */
  acknowledge(events: readonly OrderEvent[]): Promise<void>
  /**
   * Reads the current state of the order. Throws `NotFoundError` only when the platform says that
   * it has no such order: the runtime then asks again after 15 minutes and after an hour, and gives
   * the order a problem. It cancels nothing. A 404 that may come from a gateway is a
   * `TransientError`.
   */
  getOrder(externalId: string): Promise<Order>
  /**
   * Tells the marketplace the status of the order. An order that already has this status is a
   * success.
   */
  updateOrderStatus?(externalId: string, status: OrderStatusChange): Promise<WriteBack>
  /**
   * Tells the marketplace the parcel of the order. Repeating it must be harmless: a parcel that the
   * marketplace already knows is a success.
   */
  addTracking?(externalId: string, tracking: Tracking): Promise<WriteBack>
  /**
   * Lists orders changed since `updatedSince` (ISO 8601), oldest change first: the runtime uses it
   * when events were lost.
   */
  listOrders?(request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
}
