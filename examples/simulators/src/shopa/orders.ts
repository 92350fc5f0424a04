import { formatAmount, parseAmount, toCents } from './amounts.ts'
import { totalsOf, type CartTotals } from './cart-totals.ts'
import { PlainError } from './errors.ts'
import { takenBy } from './packs.ts'
import type { Row } from './product-rows.ts'
import { sampleCarrierPrices } from './sample-order-settings.ts'
import type { State } from './state.ts'

/** The hooks of the shop that orders fire. */
export interface OrderHooks {
  created: (orderId: number) => void
  stateChanged: (orderId: number, stateId: number) => void
  stockChanged: (row: Row) => void
}

export interface Placement {
  cartId: number
  stateId: number
  /** Decimal. In a logable state any amount but the cart's total is a payment error. */
  amountPaid: string
  module: string
  payment: string
  reference?: string
}

const paymentError = '8'
const backorders = { paid: 9, unpaid: 12 }
const noDate = '0000-00-00 00:00:00'
/** States that give the pieces back to the stock. */
const released = ['6', paymentError]

/** Makes the shop's own handling of orders, as its `validateOrder` and order history work. */
export function createOrders (state: State, timestamp: () => string, switches: { backorders: boolean }) {
  const shippingPrices = {
    ofCart: new Map<number, { net: string, gross: string }>(),
    ofCarrier: new Map(sampleCarrierPrices)
  }
  const { tables } = state

  function ofCart (cartId: number): Row | undefined {
    return tables.orders.where('id_cart', [cartId])[0]
  }

  /** Makes an order of a cart, with the rows, prices and carrier of the cart. */
  function place ({ cartId, stateId, amountPaid, module, payment, reference }: Placement, hooks: OrderHooks): Row {
    const cart = tables.carts.get(cartId)
    if (cart === undefined || ofCart(cartId) !== undefined) {
      throw new PlainError(500, 'Cart cannot be loaded or an order has already been placed using this cart')
    }
    const totals = totalsOf(state, cart, shippingPrices, timestamp())
    // The shop compares the amount, and books it, only for a state that is logable.
    const isLogged = flagOf(String(stateId), 'logable') === '1'
    const isMismatch = isLogged && toCents(parseAmount(amountPaid)) !== totals.total.gross
    const id = tables.orders.nextId()
    const stateWanted = isMismatch ? paymentError : String(stateId)
    const order = add('orders', id, {
      ...copied(cart.fields),
      id_cart: String(cartId),
      id_carrier: totals.carrierId,
      current_state: stateWanted,
      module,
      payment,
      valid: flagOf(stateWanted, 'logable'),
      ...amounts(totals),
      total_paid_real: '0.000000',
      conversion_rate: String(tables.currencies.get(Number(cart.fields.id_currency))?.fields.conversion_rate ?? '1'),
      reference: reference ?? referenceOf(id),
      ...times(),
      invoice_date: flagOf(stateWanted, 'paid') === '1' ? timestamp() : noDate
    })
    if (isLogged) book(order, parseAmount(amountPaid))
    const rows = totals.rows.map(priced => addDetail(id, priced))
    order.associations.order_rows = rows.map(toOrderRow)
    add('order_carriers', tables.order_carriers.nextId(), {
      id_order: String(id),
      id_carrier: totals.carrierId,
      id_order_invoice: '0',
      weight: '0.000000',
      tracking_number: '',
      shipping_cost_tax_excl: formatAmount(totals.shipping.net),
      shipping_cost_tax_incl: formatAmount(totals.shipping.gross),
      date_add: timestamp()
    })
    addHistory(id, stateWanted)
    takeMessage(cartId, order)
    if (!released.includes(stateWanted)) moveStock(id, -1, hooks)
    hooks.created(id)
    if (switches.backorders && isShort(id)) {
      const { paid, unpaid } = backorders
      changeState(id, flagOf(stateWanted, 'paid') === '1' ? paid : unpaid, hooks)
    }
    return order
  }

  /** Books a payment, whatever was booked before. */
  function book (order: Row, amount: bigint): void {
    const { fields } = order
    const sum = parseAmount(String(fields.total_paid_real)) + amount
    tables.orders.put(order, { total_paid_real: formatAmount(sum) })
    add('order_payments', tables.order_payments.nextId(), {
      order_reference: String(fields.reference),
      id_currency: String(fields.id_currency),
      amount: formatAmount(amount),
      payment_method: String(fields.payment),
      conversion_rate: String(fields.conversion_rate),
      date_add: timestamp()
    })
  }

  /** Ties the first message of the cart to the order, unless it is private. */
  function takeMessage (cartId: number, order: Row): void {
    const [first] = tables.messages.where('id_cart', [cartId])
    if (first !== undefined && first.fields.private !== '1') tables.messages.put(first, { id_order: String(order.id) })
  }

  function isShort (orderId: number): boolean {
    return tables.order_details.where('id_order', [orderId]).some(({ fields }) => {
      const stock = state.stockRow(Number(fields.product_id), Number(fields.product_attribute_id))
      return Number(stock.fields.quantity) < 0
    })
  }

  /** Adds a row to the history of an order, which changes its state, time and stock. */
  function changeState (orderId: number, stateId: number, hooks: OrderHooks): Row {
    const order = state.row('orders', orderId)
    state.row('order_states', stateId)
    const [before, after] = [String(order.fields.current_state), String(stateId)]
    tables.orders.put(order, { current_state: after, date_upd: timestamp(), valid: flagOf(after, 'logable') })
    const history = addHistory(orderId, after)
    // The first paid state makes the invoice and books its total, also on top of a payment error.
    if (flagOf(after, 'paid') === '1' && order.fields.invoice_date === noDate) {
      tables.orders.put(order, { invoice_date: timestamp() })
      book(order, parseAmount(String(order.fields.total_paid)))
    }
    if (released.includes(before) !== released.includes(after)) {
      moveStock(orderId, released.includes(after) ? 1 : -1, hooks)
    }
    hooks.stateChanged(orderId, stateId)
    return history
  }

  function addDetail (
    orderId: number,
    { productId, combinationId, quantity, unitNet, unitGross }: CartTotals['rows'][number]
  ): Row {
    const product = state.row('products', productId)
    const sold = combinationId === 0 ? product : state.row('combinations', combinationId)
    const [net, gross] = [toCents(unitNet * BigInt(quantity)), unitGross * BigInt(quantity)]
    const name = product.fields.name
    return add('order_details', tables.order_details.nextId(), {
      id_order: String(orderId),
      product_id: String(productId),
      product_attribute_id: String(combinationId),
      product_quantity: String(quantity),
      product_name: typeof name === 'object' ? Object.values(name)[0] ?? '' : String(name),
      product_price: formatAmount(unitNet),
      unit_price_tax_excl: formatAmount(unitNet),
      unit_price_tax_incl: formatAmount(unitGross),
      total_price_tax_excl: formatAmount(net),
      total_price_tax_incl: formatAmount(gross),
      product_reference: String(sold.fields.reference),
      product_ean13: String(sold.fields.ean13),
      tax_rate: '0.000'
    })
  }

  function addHistory (orderId: number, stateId: string): Row {
    return add('order_histories', tables.order_histories.nextId(), {
      id_order: String(orderId),
      id_order_state: stateId,
      date_add: timestamp()
    })
  }

  function moveStock (orderId: number, sign: 1 | -1, hooks: OrderHooks): void {
    for (const { fields } of tables.order_details.where('id_order', [orderId])) {
      if (tables.products.get(Number(fields.product_id)) === undefined) continue
      const [productId, combinationId] = [Number(fields.product_id), Number(fields.product_attribute_id)]
      for (const taken of takenBy(state, productId, combinationId, Number(fields.product_quantity))) {
        const stock = state.stockRow(taken.productId, taken.combinationId)
        if (stock.fields.depends_on_stock === '1') continue
        const quantity = Number(stock.fields.quantity) + sign * taken.pieces
        hooks.stockChanged(state.change('stock_availables', stock.id, { fields: { quantity: String(quantity) } }))
      }
    }
  }

  function add (
    resource: 'orders' | 'order_details' | 'order_carriers' | 'order_histories' | 'order_payments',
    id: number,
    fields: Row['fields']
  ): Row {
    return state.addSupporting(resource, { id, fields })
  }

  function flagOf (stateId: string, flag: string): string {
    return tables.order_states.get(Number(stateId))?.fields[flag] === '1' ? '1' : '0'
  }

  function times (): Row['fields'] {
    const at = timestamp()
    return { date_add: at, date_upd: at }
  }

  return {
    place,
    changeState,
    ofCart,
    totalsOf: (cart: Row) => totalsOf(state, cart, shippingPrices, timestamp()),
    shippingPrices
  }
}

export type Orders = ReturnType<typeof createOrders>

function copied (cart: Row['fields']): Row['fields'] {
  const names = ['id_address_delivery', 'id_address_invoice', 'id_currency', 'id_lang', 'id_customer']
  return Object.fromEntries(names.map(name => [name, cart[name] ?? '0']))
}

function amounts ({ products, shipping, total }: CartTotals): Row['fields'] {
  return {
    total_discounts: '0.000000',
    total_paid: formatAmount(total.gross),
    total_paid_tax_incl: formatAmount(total.gross),
    total_paid_tax_excl: formatAmount(total.net),
    total_products: formatAmount(products.net),
    total_products_wt: formatAmount(products.gross),
    total_shipping: formatAmount(shipping.gross),
    total_shipping_tax_incl: formatAmount(shipping.gross),
    total_shipping_tax_excl: formatAmount(shipping.net)
  }
}

function toOrderRow ({ id, fields }: Row): Record<string, string> {
  const names = [
    'product_id',
    'product_attribute_id',
    'product_quantity',
    'product_name',
    'product_reference',
    'product_ean13',
    'product_price',
    'unit_price_tax_incl',
    'unit_price_tax_excl'
  ]
  return { id: String(id), ...Object.fromEntries(names.map(name => [name, String(fields[name])])) }
}

/** Writes an id as nine upper-case letters, which are unique for every order. */
function referenceOf (id: number): string {
  const letterAt = (place: number): string => String.fromCharCode(65 + Math.floor(id / 26 ** (8 - place)) % 26)
  return Array.from({ length: 9 }, (_, place) => letterAt(place)).join('')
}
