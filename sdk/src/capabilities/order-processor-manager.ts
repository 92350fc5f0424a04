import type {
  CreatedOrder,
  NewOrder,
  Order,
  OrderChanges,
  OrderStatusChange,
  Tracking,
  UpdatedOrder
} from '../schemas/order.ts'
import type { Page, PageRequest } from '../schemas/values.ts'

/** The platform that fulfils orders. */
export interface OrderProcessorManager {
  getOrder(externalId: string): Promise<Order>
  /**
   * Reads at most 50 orders with few requests, and leaves out those that it cannot read. The
   * runtime then calls `getOrder` for some of those. Without this method it calls `getOrder` for
   * each order that the hub made and that is not delivered yet.
   */
  getOrders?(externalIds: readonly string[]): Promise<Order[]>
  /**
   * Creates the order. `reference` is the hub's own id of the order: a repeat with the same
   * reference must find the first order and not make a second, even when the first answer was lost.
   * The runtime never runs two creations at once for one reference.
   */
  createOrder?(order: NewOrder, options: { reference: string }): Promise<CreatedOrder>
  /**
   * Looks for an order created earlier with `reference`. The runtime calls it before it repeats a
   * creation of unknown outcome. A failed search must throw: it does not mean that there is no
   * order.
   */
  findOrder?(reference: string): Promise<CreatedOrder | null>
  /**
   * Makes the shop's order like the one at the marketplace, which changed after the shop got it.
   * Changes nothing of an order that is shipped or cancelled. Answers the changes that it did not
   * make; without this method the hub makes none. A person then sees to them. A repeat with the
   * same changes, also after a lost answer, must change nothing more and answer the same.
   */
  updateOrder?(externalId: string, changes: OrderChanges): Promise<UpdatedOrder>
  updateOrderStatus?(externalId: string, status: OrderStatusChange): Promise<void>
  addTracking?(externalId: string, tracking: Tracking): Promise<void>
  /** An order that is already cancelled is a success; a shipped order is a `RejectedError`. */
  cancelOrder?(externalId: string): Promise<void>
  /**
   * Lists orders changed since `updatedSince` (ISO 8601), oldest change first. The runtime takes
   * the orders of the list that the hub made, also those that were delivered or are old.
   */
  listOrders?(request: PageRequest & { updatedSince?: string }): Promise<Page<Order>>
}
