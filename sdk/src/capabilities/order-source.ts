import type { Order, OrderEvent, OrderStatusChange, Page, PageRequest, Tracking, WriteBack } from '../schemas.ts'

/** A marketplace with an inbox of unread order events. */
export interface OrderSource {
  /** Oldest unread events first, also those that concern no order. Reading does not mark them. */
  listUnread(request: { limit: number }): Promise<OrderEvent[]>
  /** Marks events as read. The runtime calls it only after what they announce is durable. */
  acknowledge(events: readonly OrderEvent[]): Promise<void>
  /**
   * The order as it is now. Throws `NotFoundError` when the platform says that it has no such
   * order, and for nothing else: the runtime cancels an order that is gone and gives its pieces
   * back. A 404 that may come from a gateway is a `TransientError`.
   */
  getOrder(externalId: string): Promise<Order>
  /** Tells the marketplace how far the order is. One that is there already is success. */
  updateOrderStatus?(externalId: string, status: OrderStatusChange): Promise<WriteBack>
  /**
   * Tells the marketplace which parcel the order is in. Repeating it is harmless: a parcel that it
   * knows already is success.
   */
  addTracking?(externalId: string, tracking: Tracking): Promise<WriteBack>
  /** Orders changed since then, oldest change first: the repair when events were lost. */
  listOrders?(request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
}
