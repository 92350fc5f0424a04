import type { Delivery } from './delivery.ts'
import { buyerOf, deliveryOf, itemOf, takeStock } from './new-order.ts'
import type { Order, OrderChange, OrderDelivery, OrderItem, PlacedOrder } from './order.ts'
import type { Products } from './products.ts'

/** The name under which a change of an order is announced. */
export type OrderEventName = 'orderCreated' | 'orderStatusChanged' | 'orderSellerStatusChanged'

export interface OrdersOptions {
  now: () => Date
  /** Orders name no currency. */
  isSandbox: boolean
  products: Products
  delivery: Delivery
  announce: (name: OrderEventName, order: Order) => void
}

/**
 * Makes the store of the shop's orders. A change copies the order, so that messages already sent
 * keep the old state.
 */
export function createOrders ({ now, isSandbox, products, delivery, announce }: OrdersOptions) {
  const orders = new Map<string, Order>()
  let lastItemId = 0

  /** Places an order: takes its stock, which the marketplace never gives back, and announces it. */
  function place ({ lines, isPaid = true, delivery: wanted, user, ...members }: PlacedOrder): Order {
    takeStock(products, lines)
    const number = orders.size + 1
    const timestamp = now().toISOString()
    const items = lines.map(line => itemOf(products, line, lastItemId += 1))
    const chosen = deliveryOf(delivery, wanted)
    const buyer = user === undefined ? buyerOf(number) : user
    const id = members.id ?? `${timestamp.slice(2, 10).replaceAll('-', '')}x${10_000 + number}`
    return store({
      id,
      status: isPaid ? 'purchased' : 'pending',
      user: buyer ?? undefined,
      items,
      ...isSandbox ? {} : { currency: 'PLN' },
      delivery: chosen,
      totalPrice: totalOf(items, chosen),
      payment: { id: number, status: isPaid && !chosen.cod ? 'COMPLETED' : 'PENDING' },
      returns: [],
      calculatedParcelsCount: 1,
      sellerStatus: 'created',
      created: timestamp,
      updated: timestamp,
      purchasedAt: isPaid ? timestamp : undefined,
      cursor: '',
      ...members
    }, 'orderCreated')
  }

  /** Writes members and announces a change of status. */
  function update (id: string, members: Partial<Order>): Order {
    const before = existing(id)
    return store({ ...before, updated: now().toISOString(), ...members }, eventOf(before, members))
  }

  /**
   * Changes a purchased order. The marketplace does not announce it: only the order's time of
   * update says that it changed. The change of a line neither takes nor returns stock.
   */
  function change (id: string, { deliveryAddress, lines, comment }: OrderChange): Order {
    const { status, user, items, delivery: chosen } = existing(id)
    if (status !== 'purchased') throw new Error(`order '${id}' is ${status}, not purchased`)
    const changed = lines?.map(line => {
      const former = items.find(({ externalId }) => externalId === line.externalId)
      return former === undefined ? itemOf(products, line, lastItemId += 1) : { ...former, ...line }
    })
    return update(id, {
      ...deliveryAddress === undefined ? {} : { user: { ...user, deliveryAddress } },
      ...changed === undefined ? {} : { items: changed, totalPrice: totalOf(changed, chosen) },
      ...comment === undefined ? {} : { comment }
    })
  }

  function eventOf (before: Order, { status, sellerStatus }: Partial<Order>): OrderEventName | undefined {
    if (status !== undefined && status !== before.status) return 'orderStatusChanged'
    if (sellerStatus !== undefined && sellerStatus !== before.sellerStatus) return 'orderSellerStatusChanged'
    return undefined
  }

  function store (order: Order, name: OrderEventName | undefined): Order {
    const stored = { ...order, cursor: cursorOf(order, 'updated') }
    orders.set(order.id, stored)
    if (name !== undefined) announce(name, stored)
    return stored
  }

  function existing (id: string): Order {
    const order = orders.get(id)
    if (order === undefined) throw new Error(`the marketplace has no order '${id}'`)
    return order
  }

  return {
    place,
    update,
    change,
    existing,
    find: (id: string): Order | undefined => orders.get(id),
    all: (): Order[] => [...orders.values()],
    now
  }
}

export type Orders = ReturnType<typeof createOrders>

function totalOf (items: readonly OrderItem[], { price }: OrderDelivery): number {
  return items.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, price)
}

/** Returns the cursor with which a walk by this member continues after the order. */
export function cursorOf (order: Order, sortField: 'created' | 'updated'): string {
  return `${Math.floor(Date.parse(order[sortField]) / 1_000)};${order.id}`
}
