import type { HookAccidents } from './announcements.ts'
import type { HookDelivery } from './hooks.ts'
import type { Inbox, InboxMessage, NewInboxMessage } from './inbox.ts'
import type { Order, OrderChange, OrderReturn, PlacedOrder } from './order.ts'
import type { Orders } from './orders.ts'
import type { Parcel, Parcels } from './parcels.ts'

/**
 * Lets a test act as the buyers and as the marketplace, and shows it the result. The marketplace
 * announces a new order, a change of `status` and a change of `sellerStatus` in the inbox and
 * through the registered hook. It announces no other change.
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
  returnOrder: (
    id: string,
    items?: ReadonlyArray<{ index: number, quantity: number }>,
    more?: Partial<Pick<OrderReturn, 'reason' | 'comment' | 'bankAccount'>>
  ) => void
  /** Changes a purchased order without announcing it, as a buyer who writes to the marketplace. */
  changeOrder: (id: string, change: OrderChange) => void
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
  /** Adds any message, also one of a type that nobody knows, and returns its id. */
  addInboxMessage: (message: NewInboxMessage) => string
  /**
   * Asks the seller to send products again: adds the message `productsNeedSync`, which names no id
   * of its own. Without `fields` it is about the whole products. Returns the id of the message.
   */
  askForSync: (externalProductIds: readonly string[], fields?: readonly string[]) => string
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
    returnOrder (id, items, more) {
      const order = orders.existing(id)
      const wanted = items ?? order.items.map(({ quantity }, index) => ({ index, quantity }))
      const returned: OrderReturn = {
        // `quentity` is the marketplace's own spelling.
        items: wanted.map(({ index, quantity }) => ({ index, quentity: quantity })),
        reason: 'resign',
        created: orders.now().toISOString(),
        ...more
      }
      orders.update(id, { status: 'returned', returns: [...order.returns, returned] })
    },
    changeOrder (id, change) {
      orders.change(id, change)
    },
    updateOrder (id, members) {
      orders.update(id, members)
    },
    orders: orders.all,
    order: orders.find,
    parcels: parcels.all,
    inbox: inbox.all,
    addInboxMessage: inbox.add,
    askForSync: (externalProductIds, fields) =>
      inbox.add({
        type: 'productsNeedSync',
        payload: { externalProductIds, ...fields === undefined ? {} : { fields } }
      }),
    hookAccidents: announcements.setAccidents,
    hooksSettled: announcements.settled
  }
}
