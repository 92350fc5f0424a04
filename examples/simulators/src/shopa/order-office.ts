import type { OrderHooks, Orders } from './orders.ts'
import type { Value } from './product-rows.ts'
import type { State } from './state.ts'

/** An order of the shop in a readable form. Amounts are decimals, gross. */
export interface ShopOrder {
  id: number
  cartId: number
  reference: string
  stateId: number
  /** As the newest carrier row says. */
  carrierId: number
  email: string
  /** The street and the city that the parcel and the invoice go to. */
  delivery: string
  invoice: string
  total: string
  shipping: string
  /** ISO 4217. */
  currency: string
  payment: string
  /** The booked payments. */
  payments: string[]
  /** The sum of the payments, as the order has it. */
  paid: string
  /** The messages that staff see at the order. */
  messages: string[]
  trackingNumber: string
  lines: Array<{ productId: number, combinationId: number, quantity: number, unitPrice: string }>
}

/** Makes the actions of the people who manage orders, carriers and countries. */
export function createOrderOffice (state: State, orders: Orders, hooks: OrderHooks) {
  const { tables } = state

  function orderOf (id: number): ShopOrder {
    const { fields } = state.row('orders', id)
    const carrier = tables.order_carriers.where('id_order', [id]).at(-1)
    const placeOf = (addressId: unknown): string => {
      const { address1 = '', city = '' } = tables.addresses.get(Number(addressId))?.fields ?? {}
      return `${String(address1)}, ${String(city)}`
    }
    return {
      id,
      cartId: Number(fields.id_cart),
      reference: String(fields.reference),
      stateId: Number(fields.current_state),
      carrierId: Number(carrier?.fields.id_carrier ?? fields.id_carrier),
      email: String(tables.customers.get(Number(fields.id_customer))?.fields.email ?? ''),
      delivery: placeOf(fields.id_address_delivery),
      invoice: placeOf(fields.id_address_invoice),
      total: String(fields.total_paid_tax_incl),
      shipping: String(carrier?.fields.shipping_cost_tax_incl ?? ''),
      currency: String(tables.currencies.get(Number(fields.id_currency))?.fields.iso_code ?? ''),
      payment: String(fields.payment),
      payments: tables.order_payments.where('order_reference', [String(fields.reference)])
        .map(({ fields }) => String(fields.amount)),
      paid: String(fields.total_paid_real),
      messages: tables.messages.where('id_order', [id]).map(({ fields }) => String(fields.message)),
      trackingNumber: String(carrier?.fields.tracking_number ?? ''),
      lines: tables.order_details.where('id_order', [id]).map(({ fields }) => ({
        productId: Number(fields.product_id),
        combinationId: Number(fields.product_attribute_id),
        quantity: Number(fields.product_quantity),
        unitPrice: String(fields.unit_price_tax_incl)
      }))
    }
  }

  function changeOrderState (id: number, stateId: number): void {
    orders.changeState(id, stateId, hooks)
  }

  /** Sets a tracking number. No hook covers it, and the order keeps its `date_upd`. */
  function setTracking (id: number, number: string): void {
    const carrier = tables.order_carriers.where('id_order', [id]).at(-1)
    if (carrier === undefined) throw new Error(`order ${id} has no carrier row`)
    state.change('order_carriers', carrier.id, { fields: { tracking_number: number } })
  }

  function setCurrencyActive (isoCode: string, isActive: boolean): void {
    const currency = tables.currencies.rows().find(({ fields }) => fields.iso_code === isoCode)
    if (currency === undefined) throw new Error(`the shop has no currency ${isoCode}`)
    state.change('currencies', currency.id, { fields: { active: isActive ? '1' : '0' } })
  }

  function setCountryActive (isoCode: string, isActive: boolean): void {
    const country = tables.countries.rows().find(({ fields }) => fields.iso_code === isoCode)
    if (country === undefined) throw new Error(`the shop has no country ${isoCode}`)
    state.change('countries', country.id, { fields: { active: isActive ? '1' : '0' } })
  }

  /**
   * Saves a carrier as the back office does: it marks the old row deleted and adds a new one with
   * the same `id_reference`. Returns the new id.
   */
  function editCarrier (id: number, fields: Record<string, Value>): number {
    const before = { ...state.row('carriers', id).fields }
    const newId = tables.carriers.nextId()
    state.change('carriers', id, { fields: { deleted: '1' } })
    state.addSupporting('carriers', { id: newId, fields: { ...before, ...fields } })
    return newId
  }

  /** Sets the net price of shipping by a carrier. */
  function setCarrierPrice (idReference: number, net: string): void {
    orders.shippingPrices.ofCarrier.set(String(idReference), net)
  }

  /** Returns the value of a setting, or `undefined` if it was never set. */
  function configuration (name: string): string | undefined {
    const value = tables.configurations.where('name', [name])[0]?.fields.value
    return value === undefined ? undefined : String(value)
  }

  return {
    orders: () => tables.orders.rows().map(({ id }) => orderOf(id)),
    order: orderOf,
    changeOrderState,
    setTracking,
    setCountryActive,
    setCurrencyActive,
    editCarrier,
    setCarrierPrice,
    configuration
  }
}

export type OrderOffice = ReturnType<typeof createOrderOffice>
