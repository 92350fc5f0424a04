import type { Row } from './product-rows.ts'
import type { State } from './state.ts'

/** A row of a cart with its price. Amounts are millionths. */
export interface PricedRow {
  productId: number
  combinationId: number
  quantity: number
  unitNet: bigint
  unitGross: bigint
}

export interface CartTotals {
  rows: PricedRow[]
  /**
   * '0' if no carrier may serve the cart: the customer has no group, the country is inactive, or
   * the carrier was deleted.
   */
  carrierId: string
  shipping: { net: bigint, gross: bigint }
  products: { net: bigint, gross: bigint }
  total: { net: bigint, gross: bigint }
}

/** Prices of shipping. The price that the hub set for a cart wins over the carrier's. */
export interface ShippingPrices {
  ofCart: ReadonlyMap<number, { net: string, gross: string }>
  /** By `id_reference`. */
  ofCarrier: ReadonlyMap<string, string>
}

/**
 * Returns the totals of a cart: catalogue prices, unless the cart has a specific price. `now` is
 * local time.
 */
export function totalsOf (state: State, cart: Row, shippingPrices: ShippingPrices, now: string): CartTotals {
  const countryId = addressCountry(state, cart)
  const pins = state.tables.specific_prices.where('id_cart', [cart.id]).filter(({ fields }) => isInForce(fields, now))
  const rows = (cart.associations.cart_rows ?? []).map(entry => priceRow(state, entry, pins, countryId))
  const carrier = servingCarrier(state, cart, countryId)
  const shipping = carrier === undefined
    ? { net: 0n, gross: 0n }
    : shippingOf(state, cart, carrier, shippingPrices, countryId)
  const products = {
    net: rows.reduce((sum, { unitNet, quantity }) => sum + toCents(unitNet * BigInt(quantity)), 0n),
    gross: rows.reduce((sum, { unitGross, quantity }) => sum + unitGross * BigInt(quantity), 0n)
  }
  return {
    rows,
    carrierId: String(carrier?.id ?? 0),
    shipping,
    products,
    total: { net: products.net + shipping.net, gross: products.gross + shipping.gross }
  }
}

/** Reads a decimal text as millionths. */
export function parseAmount (amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(amount) ?? []
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
}

/** Writes an amount as the shop does: `100.000000`. */
export function formatAmount (millionths: bigint): string {
  const digits = String(millionths).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

export function toCents (millionths: bigint): bigint {
  return (millionths + 5_000n) / 10_000n * 10_000n
}

function priceRow (state: State, entry: Record<string, string>, pins: readonly Row[], countryId: string): PricedRow {
  const [productId, combinationId] = [Number(entry.id_product), Number(entry.id_product_attribute ?? 0)]
  const product = state.row('products', productId)
  const pin = pins.find(({ fields }) =>
    fields.id_product === String(productId) && fields.id_product_attribute === String(combinationId)
  )
  const impact = combinationId === 0 ? 0n : parseAmount(String(state.row('combinations', combinationId).fields.price))
  const unitNet = pin === undefined
    ? parseAmount(String(product.fields.price)) + impact
    : parseAmount(String(pin.fields.price))
  return {
    productId,
    combinationId,
    quantity: Number(entry.quantity ?? 1),
    unitNet,
    unitGross: withTax(unitNet, percentOf(state, String(product.fields.id_tax_rules_group), countryId))
  }
}

/** Whether a specific price applies. A price of -1 means the catalogue price. */
function isInForce (fields: Row['fields'], now: string): boolean {
  return parseAmount(String(fields.price)) >= 0n && (String(fields.to).startsWith('0000') || String(fields.to) > now)
}

function servingCarrier (state: State, cart: Row, countryId: string): Row | undefined {
  const carrier = state.tables.carriers.get(Number(cart.fields.id_carrier))
  const groups = state.tables.customers.get(Number(cart.fields.id_customer))?.associations.groups ?? []
  const isServed = state.tables.countries.get(Number(countryId))?.fields.active === '1'
  const isUsable = carrier?.fields.active === '1' && carrier.fields.deleted !== '1'
  return isUsable && groups.length > 0 && isServed ? carrier : undefined
}

function shippingOf (
  state: State,
  cart: Row,
  { fields }: Row,
  { ofCart, ofCarrier }: ShippingPrices,
  countryId: string
): { net: bigint, gross: bigint } {
  const told = ofCart.get(cart.id)
  if (told !== undefined) return { net: toCents(parseAmount(told.net)), gross: toCents(parseAmount(told.gross)) }
  const net = fields.is_free === '1' ? 0n : toCents(parseAmount(ofCarrier.get(String(fields.id_reference)) ?? '0'))
  return { net, gross: withTax(net, percentOf(state, String(fields.id_tax_rules_group), countryId)) }
}

function addressCountry (state: State, cart: Row): string {
  return String(state.tables.addresses.get(Number(cart.fields.id_address_delivery))?.fields.id_country ?? '0')
}

/** Returns a tax rate in thousandths of a percent. */
function percentOf (state: State, group: string, countryId: string): bigint {
  const rules = state.tables.tax_rules.rows().filter(({ fields }) => fields.id_tax_rules_group === group)
  const rule = rules.find(({ fields }) => fields.id_country === countryId) ??
    rules.find(({ fields }) => fields.id_country === '0') ?? rules[0]
  const tax = state.tables.taxes.get(Number(rule?.fields.id_tax ?? 0))
  return tax === undefined ? 0n : parseAmount(String(tax.fields.rate)) / 1_000n
}

function withTax (net: bigint, percent: bigint): bigint {
  return toCents((net * (100_000n + percent) + 50_000n) / 100_000n)
}
