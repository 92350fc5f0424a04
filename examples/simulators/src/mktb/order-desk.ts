import type { HookAccidents } from './announcements.ts'
import type { HookDelivery } from './hooks.ts'
import type { Inbox, InboxMessage, NewInboxMessage } from './inbox.ts'
import type { Order, PlacedOrder } from './order.ts'
import type { Orders } from './orders.ts'
import type { Parcel, Parcels } from './parcels.ts'

/**
 * Lets a test act as the buyers and as the marketplace, and shows it the result. The marketplace
 * announces a new order and a change of `status` in the inbox and through the registered hook. It
 * announces a change of `sellerStatus` alone through the hook only. It announces no other change.
 */
export interface OrderDesk {
  /** Places an order, takes its stock and returns its id. Throws if the stock is too low. */
  placeOrder: (order: PlacedOrder) => string
  /** Marks an order as paid now. */
  payOrder: (id: string) => void
  /** Cancels an order without giving the stock back. */
  cancelOrder: (id: string) => void
  /**
   * Records that the buyer returns goods. `items` names lines by their positions, counted from 0,
   * and how many pieces come back. By default the buyer returns every piece of every line.
   */
  returnOrder: (id: string, items?: ReadonlyArray<{ index: number, quantity: number, reason?: string }>) => void
  /**
   * Overwrites any members of an order, for example `sellerStatus`. `user: undefined` removes the
   * buyer.
   */
  updateOrder: (id: string, members: Partial<Order>) => void
  orders: () => Order[]
  order: (id: string) => Order | undefined
  parcels: () => Parcel[]
  /** Returns every message, read or unread. */
  inbox: () => InboxMessage[]
  /** Adds any message and returns its id. */
  addInboxMessage: (message: NewInboxMessage) => string
  /** Replaces the accidents of hook deliveries. They hold until the next call. */
  hookAccidents: (accidents: HookAccidents) => void
  /** Waits until no delivery is under way. Returns the outcome of every delivery so far. */
  hooksSettled: () => Promise<HookDelivery[]>
}

export interface OrderDeskParts {
  orders: Orders
  parcels: Parcels
  inbox: Inbox
  announcements: { settled: () => Promise<HookDelivery[]>, setAccidents: (accidents: HookAccidents) => void }
}

export function createOrderDesk ({ orders, parcels, inbox, announcements }: OrderDeskParts): OrderDesk {
  return {
    placeOrder: order => orders.place(order).id,
    payOrder (id) {
      const { payment } = orders.existing(id)
      orders.update(id, {
        status: 'purchased',
        purchasedAt: orders.now().toISOString(),
        payment: { ...payment, status: 'COMPLETED' }
      })
    },
    cancelOrder (id) {
      orders.update(id, { status: 'cancelled', sellerStatus: 'canceled' })
    },
    returnOrder (id, items) {
      const order = orders.existing(id)
      const wanted = items ?? order.items.map(({ quantity }, index) => ({ index, quantity }))
      const returned = {
        id: order.returns.length + 1,
        // `quentity` is the marketplace's own spelling.
        items: wanted.map(({ quantity, ...item }) => ({ reason: 'resign', ...item, quentity: quantity })),
        created: orders.now().toISOString()
      }
      orders.update(id, { status: 'returned', returns: [...order.returns, returned] })
    },
    updateOrder (id, members) {
      orders.update(id, members)
    },
    orders: orders.all,
    order: orders.find,
    parcels: parcels.all,
    inbox: inbox.all,
    addInboxMessage: inbox.add,
    hookAccidents: announcements.setAccidents,
    hooksSettled: announcements.settled
  }
}
