import { parseAmount } from './amounts.ts'
import { deliveryOption } from './cart-totals.ts'
import type { OrderHooks, Orders } from './orders.ts'
import type { State } from './state.ts'

export interface ModuleAnswer {
  status: number
  body: object
}

export interface ModuleOrders {
  state: State
  orders: Orders
  hooks: OrderHooks
  switches: { paymentModule: boolean }
}

const amount = /^\d+(?:\.\d{1,6})?$/

/** Controller `cartshipping`: sets the price of shipping for one cart. */
export function priceShipping ({ orders }: ModuleOrders, body: unknown): ModuleAnswer {
  const fields = parse(body)
  if (fields === undefined) return refuse(400, 'invalid-body')
  const { id_cart: cartId, amount_tax_excl: net, amount_tax_incl: gross } = fields
  if (!isId(cartId) || !isAmount(net) || !isAmount(gross)) return refuse(400, 'invalid-fields')
  orders.shippingPrices.ofCart.set(cartId, { net: String(net), gross: String(gross) })
  return { status: 200, body: { ok: true, id_cart: cartId } }
}

/** Controller `importorder`: makes an order of a cart with the given amounts, once per cart. */
export function importOrder ({ state, orders, hooks, switches }: ModuleOrders, body: unknown): ModuleAnswer {
  const fields = parse(body)
  if (fields === undefined) return refuse(400, 'invalid-body')
  const {
    id_cart: cartId,
    id_order_state: stateId,
    amount_paid: paid,
    payment_method: payment,
    order_reference: reference
  } = fields
  if (!isId(cartId) || !isId(stateId) || !isAmount(paid) || typeof payment !== 'string') {
    return refuse(400, 'invalid-fields')
  }
  const existing = orders.ofCart(cartId)
  if (existing !== undefined) return imported(existing.id, String(existing.fields.reference), true)
  const cart = state.tables.carts.get(cartId)
  if (cart === undefined) return refuse(400, 'cart-not-found')
  if ((cart.associations.cart_rows ?? []).length === 0) return refuse(400, 'cart-empty')
  if (state.tables.order_states.get(stateId) === undefined) return refuse(400, 'invalid-order-state')
  if ([cart.fields.id_carrier, cart.fields.id_address_delivery].includes('0')) {
    return refuse(400, 'cart-missing-carrier-or-address')
  }
  if (!switches.paymentModule) return refuse(422, 'payment-module-unavailable')
  // The module takes the carrier from the cart itself, and makes it the cart's option.
  const { id_address_delivery: address, id_carrier: carrier } = cart.fields
  state.change('carts', cartId, { fields: { delivery_option: deliveryOption(address, carrier) } })
  const named = typeof reference === 'string' && /^[A-Z]{9}$/.test(reference) ? { reference } : {}
  const order = orders.place({ cartId, stateId, amountPaid: String(paid), module: 'linker', payment, ...named }, hooks)
  return imported(order.id, String(order.fields.reference), false)
}

function imported (id: number, reference: string, existed: boolean): ModuleAnswer {
  return { status: 200, body: { ok: true, id_order: id, reference, already_existed: existed } }
}

function refuse (status: number, error: string): ModuleAnswer {
  return { status, body: { error } }
}

function parse (body: unknown): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(String(body))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function isId (value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0
}

function isAmount (value: unknown): value is number | string {
  if (typeof value !== 'number' && typeof value !== 'string') return false
  return amount.test(String(value)) && parseAmount(String(value)) >= 0n
}
