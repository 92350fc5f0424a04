export const sellerStatuses = [
  'created',
  'canceled',
  'readyToProcess',
  'inProgress',
  'sent',
  'readyToPickup',
  'received',
  'returned',
  'returningToSender',
  'unknown'
] as const
export type SellerStatus = typeof sellerStatuses[number]

export interface OrderAddress {
  type?: 'company' | 'person'
  firstName?: string
  lastName?: string
  companyName?: string
  nip?: string
  address?: string
  street?: string
  buildingNumber?: string
  flatNumber?: string
  zip?: string
  city?: string
  /** Lower case on the wire. */
  country?: string
  phone?: string
}

export interface OrderItem {
  id: number
  externalId: string
  quantity: number
  /** Minor units, after the rebate. */
  unitPrice: number
  name: string
  slug: string
  /** A member without a value is absent, also each of the next ones. */
  weight?: number
  unitPriceBeforeRebate?: number
  ean?: string
  sku?: string
  taxRate?: string
}

export interface PickupPlace {
  id: number
  externalId?: string
  heading: string
  type: string
  provider: string
  name: string
  address: string
  city: string
  country: string
  open24h: boolean
  zip: string
}

export interface OrderDelivery {
  name: string
  typeId: string
  price: number
  cod: boolean
  pickupPlace?: PickupPlace
  cancelled?: number
  sourceMarket?: string
  targetMarket?: string
}

export const trackingStatuses = [
  'preparing',
  'waitingForCourier',
  'sent',
  'readyToPickup',
  'onTheWay',
  'readyToSend',
  'trackingUnavailable',
  'returned',
  'canceled'
] as const
export type TrackingStatus = typeof trackingStatuses[number]

export interface OrderReturn {
  /** `index` is the position in `items`. The marketplace spells the quantity `quentity`. */
  items: Array<{ index: number, quentity: number }>
  reason: string
  created: string
  comment?: string
  bankAccount?: string
}

/** An order as reads show it. */
export interface Order {
  id: string
  externalOrderId?: string
  status: 'pending' | 'purchased' | 'cancelled' | 'returned'
  /** Missing after the marketplace anonymised the buyer. */
  user?: { email?: string, deliveryAddress?: OrderAddress, invoiceAddress?: OrderAddress }
  items: OrderItem[]
  /** `PLN` or `EUR`. Absent in the sandbox. */
  currency?: string
  rebate?: { id: number, name: string, code: string }
  delivery: OrderDelivery
  comment?: string
  /** Includes the delivery. */
  totalPrice: number
  deliveryTracking?: { status?: TrackingStatus, vendor?: string, trackingNumber?: string, trackingUrl?: string }
  payment: { id: number, status: string }
  returns: OrderReturn[]
  calculatedParcelsCount: number
  sellerStatus: SellerStatus
  created: string
  updated: string
  purchasedAt?: string
  cursor: string
}

export interface PlacedLine extends Partial<OrderItem> {
  externalId: string
  quantity: number
}

/** An order to place. The simulator makes up each member that is absent. */
export interface PlacedOrder extends Omit<Partial<Order>, 'items' | 'delivery' | 'user'> {
  lines: readonly PlacedLine[]
  /** Default true: the order is purchased at once. Otherwise it is pending until `payOrder`. */
  isPaid?: boolean
  /**
   * `{ typeId }` is enough: the dictionary gives name, price, cash on delivery and locker. With
   * `cod: true` the buyer pays on delivery, whatever the method.
   */
  delivery?: Partial<OrderDelivery>
  /** `null`: the order has no buyer. */
  user?: Order['user'] | null
}

/** The new values of an order that somebody changed after its purchase. */
export interface OrderChange {
  deliveryAddress?: OrderAddress
  lines?: readonly PlacedLine[]
  comment?: string
}
