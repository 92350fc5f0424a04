import type { Order, OrderEvent, OrderStatusChange, Page, PageRequest } from '../schemas.ts'

/** A marketplace with an inbox of unread order events. */
export interface OrderSource {
  /** Oldest unread events first. Reading does not mark them. */
  listUnread (request: { limit: number }): Promise<OrderEvent[]>
  /** Marks events as read. The runtime calls it only after what they announce is durable. */
  acknowledge (events: readonly OrderEvent[]): Promise<void>
  getOrder (externalId: string): Promise<Order>
  updateOrderStatus? (externalId: string, status: OrderStatusChange): Promise<void>
  listOrders? (request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
}
