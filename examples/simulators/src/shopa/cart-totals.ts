import { parseAmount, toCents } from './amounts.ts'
import type { Row } from './product-rows.ts'
import { sellingPrice } from './promotions.ts'
import type { State } from './state.ts'
import { addressOf, percentOf, type TaxAddress } from './taxes.ts'

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
   * '0' if no carrier may serve the cart: the customer has no group, or the country is inactive.
   */
  carrierId: string
  shipping: { net: bigint, gross: bigint }
  products: { net: bigint, gross: bigint }
  total: { net: bigint, gross: bigint }
}

/** Prices of shipping. */
export interface ShippingPrices {
  /** The price that the hub told the module for a cart. It counts for the module's carrier only. */
  ofCart: ReadonlyMap<number, { net: string, gross: string }>
  /** Net, by `id_reference`. */
  ofCarrier: ReadonlyMap<string, string>
}

interface CarrierOffer {
  carrierId: string
  net: bigint
  gross: bigint
}

/**
 * Returns the totals of a cart: the shop's prices with its promotions, unless the cart has a
 * specific price. `now` is local time.
 */
export function totalsOf (state: State, cart: Row, shippingPrices: ShippingPrices, now: string): CartTotals {
  const address = addressOf(state, cart)
  const pins = state.tables.specific_prices.where('id_cart', [cart.id]).filter(({ fields }) => isInForce(fields, now))
  const rows = (cart.associations.cart_rows ?? []).map(entry => priceRow(state, cart, entry, pins, now))
  const carrier = chooseCarrier(cart, offersOf(state, cart, shippingPrices, address))
  const shipping = { net: carrier?.net ?? 0n, gross: carrier?.gross ?? 0n }
  const products = {
    net: rows.reduce((sum, { unitNet, quantity }) => sum + toCents(unitNet * BigInt(quantity)), 0n),
    gross: rows.reduce((sum, { unitGross, quantity }) => sum + unitGross * BigInt(quantity), 0n)
  }
  return {
    rows,
    carrierId: carrier?.carrierId ?? '0',
    shipping,
    products,
    total: { net: products.net + shipping.net, gross: products.gross + shipping.gross }
  }
}

/** Writes the option by which a cart chooses one carrier for its delivery address. */
export function deliveryOption (addressId: unknown, carrierId: unknown): string {
  return JSON.stringify({ [String(addressId)]: `${String(carrierId)},` })
}

function priceRow (
  state: State,
  cart: Row,
  entry: Record<string, string>,
  pins: readonly Row[],
  now: string
): PricedRow {
  const [productId, combinationId] = [Number(entry.id_product), Number(entry.id_product_attribute ?? 0)]
  const product = state.row('products', productId)
  const pin = pins.find(({ fields }) =>
    fields.id_product === String(productId) && fields.id_product_attribute === String(combinationId) &&
    ['0', cart.fields.id_currency].includes(String(fields.id_currency))
  )
  const address = addressOf(state, cart)
  const quantity = Number(entry.quantity ?? 1)
  // A price of the cart wins over the promotions of the shop.
  const unitNet = pin === undefined
    ? inCurrency(
      state,
      cart,
      sellingPrice(state, { productId, combinationId }, { address, quantity, useTax: false }, now)
    )
    : parseAmount(String(pin.fields.price))
  return {
    productId,
    combinationId,
    quantity,
    unitNet,
    unitGross: withTax(unitNet, percentOf(state, String(product.fields.id_tax_rules_group), address))
  }
}

/** Whether a specific price applies. A price of -1 means the catalogue price. */
function isInForce (fields: Row['fields'], now: string): boolean {
  return parseAmount(String(fields.price)) >= 0n && (String(fields.to).startsWith('0000') || String(fields.to) > now)
}

/** Returns what each carrier asks. The module's own asks what it was told. */
function offersOf (state: State, cart: Row, prices: ShippingPrices, address: TaxAddress): CarrierOffer[] {
  const groups = state.tables.customers.get(Number(cart.fields.id_customer))?.associations.groups ?? []
  const isServed = state.tables.countries.get(Number(address.countryId))?.fields.active === '1'
  if (groups.length === 0 || !isServed) return []
  const usable = state.tables.carriers.rows().filter(({ fields }) => fields.active === '1' && fields.deleted !== '1')
  return usable.flatMap(({ id, fields }): CarrierOffer[] => {
    const net = fields.external_module_name === ''
      ? inCurrency(state, cart, ratesOf(fields, prices))
      // The module hands over the gross amount, and the shop adds the tax of the carrier's group.
      : parseToldPrice(prices.ofCart.get(cart.id)?.gross)
    if (net === undefined) return []
    const rounded = toCents(net)
    const gross = withTax(rounded, percentOf(state, String(fields.id_tax_rules_group), address))
    return [{ carrierId: String(id), net: rounded, gross }]
  })
}

function ratesOf (fields: Row['fields'], { ofCarrier }: ShippingPrices): bigint {
  return fields.is_free === '1' ? 0n : parseAmount(ofCarrier.get(String(fields.id_reference)) ?? '0')
}

function parseToldPrice (gross: string | undefined): bigint | undefined {
  return gross === undefined ? undefined : parseAmount(gross)
}

/** Takes the carrier of the cart's `delivery_option`, else the cheapest, without a word. */
function chooseCarrier ({ fields }: Row, offers: readonly CarrierOffer[]): CarrierOffer | undefined {
  const wanted = wantedCarrier(String(fields.delivery_option), String(fields.id_address_delivery))
  const cheapest = offers.toSorted((a, b) => Number(a.gross - b.gross))[0]
  return offers.find(({ carrierId }) => carrierId === wanted) ?? cheapest
}

function wantedCarrier (option: string, addressId: string): string | undefined {
  try {
    const wanted: unknown = Reflect.get(Object(JSON.parse(option)), addressId)
    return typeof wanted === 'string' ? /^(\d+),$/.exec(wanted)?.[1] : undefined
  } catch {
    return undefined
  }
}

/** Converts an amount of the shop's default currency into the currency of a cart. */
function inCurrency (state: State, cart: Row, amount: bigint): bigint {
  const rate = state.tables.currencies.get(Number(cart.fields.id_currency))?.fields.conversion_rate
  return amount * parseAmount(String(rate ?? '1')) / 1_000_000n
}

/** Adds a tax in millionths of a percent, to the cent. */
function withTax (net: bigint, percent: bigint): bigint {
  return toCents((net * (100_000_000n + percent) + 50_000_000n) / 100_000_000n)
}
