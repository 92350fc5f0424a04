import type { HookAccidents } from './announcements.ts'
import type { HookDelivery } from './hooks.ts'
import type { Inbox, InboxMessage, NewInboxMessage } from './inbox.ts'
import type { Order, PlacedOrder } from './order.ts'
import type { Orders } from './orders.ts'
import type { Parcel, Parcels } from './parcels.ts'

/**
 * What buyers and the marketplace do, and what a test wants to see of it. Every change is
 * announced: in the inbox, and to the hooks that are registered.
 */
export interface OrderDesk {
  /** Places an order and takes its stock. Answers its id. An offer with too little stock throws. */
  placeOrder: (order: PlacedOrder) => string
  payOrder: (id: string) => void
  /** Does not give the stock back. */
  cancelOrder: (id: string) => void
  /** Returns some lines, by their positions; default all of them. */
  returnOrder: (id: string, items?: ReadonlyArray<{ index: number, quantity: number, reason?: string }>) => void
  /** Writes any members, for instance `sellerStatus`, `comment` or an undefined `user`. */
  updateOrder: (id: string, members: Partial<Order>) => void
  orders: () => Order[]
  order: (id: string) => Order | undefined
  parcels: () => Parcel[]
  /** Every message, read ones too. */
  inbox: () => InboxMessage[]
  /** Adds any message, and answers its id. */
  addInboxMessage: (message: NewInboxMessage) => string
  /** From now on, until it is called again. */
  hookAccidents: (accidents: HookAccidents) => void
  /** Resolves when no delivery is on its way any more, with what became of all so far. */
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
      const returned = (items ?? order.items.map(({ quantity }, index) => ({ index, quantity }))).map(
        ({ quantity, ...item }) => ({ reason: 'resign', ...item, quentity: quantity })
      )
      orders.update(id, {
        status: 'returned',
        returns: [...order.returns, {
          id: order.returns.length + 1,
          items: returned,
          created: orders.now().toISOString()
        }]
      })
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
