import { RejectedError, type NewOrder } from '@linker/sdk'
import type { ShopClient } from '../../client.ts'
import type { ShopContext } from '../../config.ts'
import { netAmount, one, parseDecimal } from '../../products/gross-amount.ts'
import { attributeId, productId } from '../../products/ids.ts'
import { decimalsOf } from '../../products/prices.ts'
import { createLocalTime } from '../../webservice/local-time.ts'
import { readAll, readByIds } from '../../webservice/paging.ts'
import { recordXml } from '../../webservice/record-xml.ts'
import { reference, scalarsOf, text, type Row } from '../../webservice/row.ts'
import type { CartLine } from './allocate-prices.ts'

const dayMs = 24 * 3_600_000

/** The ids of the shop that a cart consists of. */
export interface CartIds {
  currency: string
  language: string
  customer: string
  carrier: string
  delivery: string
  invoice: string
}

/** A line with the price of one unit in the form that the shop stores. */
export interface PricedLine extends CartLine {
  netPrice: string
}

/** Counts an amount in the currency's smallest units. Refuses an amount with a fraction of one. */
export function toPieces (amount: string, currency: string): bigint {
  const parts = parseDecimal(amount)
  const piece = one / 10n ** BigInt(decimalsOf(currency))
  if (parts === undefined || parts % piece !== 0n) {
    throw new RejectedError(`'${amount.slice(0, 32)}' is not an amount in ${currency}`)
  }
  return parts / piece
}

export function cartLines ({ lines, total }: NewOrder): CartLine[] {
  return lines.map(({ productExternalId, variantExternalId, quantity, unitPrice, name }) => {
    if (unitPrice.currency !== total.currency) {
      const line = `'${name.slice(0, 64)}'`
      throw new RejectedError(`${line} is priced in ${unitPrice.currency}, the order in ${total.currency}`)
    }
    const product = productId(productExternalId)
    const count = BigInt(quantity)
    return {
      productId: product,
      attributeId: attributeId(variantExternalId, product),
      quantity: count,
      total: toPieces(unitPrice.amount, total.currency) * count
    }
  })
}

/** Reads the tax rules group of each product. */
export async function readTaxGroups (
  client: ShopClient,
  lines: readonly CartLine[]
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const rows = await readByIds(client, 'products', ids, { display: '[id,id_tax_rules_group]' })
  return new Map(rows.map(row => [reference(row.id), reference(row.id_tax_rules_group)]))
}

/** Adds the net price. Throws when the shop does not say a tax rate: unknown is not untaxed. */
export function priceLines (
  lines: readonly CartLine[],
  currency: string,
  groupOf: ReadonlyMap<string, string>,
  percents: ReadonlyMap<string, bigint>
): PricedLine[] {
  const piece = one / 10n ** BigInt(decimalsOf(currency))
  return lines.map(line => {
    const group = groupOf.get(line.productId)
    if (group === undefined) throw new RejectedError(`product ${line.productId} does not exist in the shop`)
    const percent = knownPercent(percents, group, `product ${line.productId}`)
    return { ...line, netPrice: netAmount(line.total * piece, percent, line.quantity) }
  })
}

export function knownPercent (percents: ReadonlyMap<string, bigint>, group: string, of: string): bigint {
  const percent = percents.get(group)
  if (percent === undefined) {
    throw new RejectedError(`the shop does not say the tax rate of ${of} (tax rules group ${group})`)
  }
  return percent
}

/** Writes the cart and returns its id. Reuses the cart of an earlier attempt if it still exists. */
export async function writeCart (
  client: ShopClient,
  ids: CartIds,
  lines: readonly PricedLine[],
  earlierId: string | undefined
): Promise<string> {
  const members = {
    id_currency: ids.currency,
    id_lang: ids.language,
    id_customer: ids.customer,
    id_carrier: ids.carrier,
    // The shop takes the carrier from here, and ignores `id_carrier`.
    delivery_option: JSON.stringify({ [ids.delivery]: `${ids.carrier},` }),
    id_address_delivery: ids.delivery,
    id_address_invoice: ids.invoice
  }
  const rows = lines.map(line => ({
    id_product: line.productId,
    id_product_attribute: line.attributeId,
    id_address_delivery: ids.delivery,
    quantity: String(line.quantity)
  }))
  const bodyOf = (row: Readonly<Record<string, string>>) =>
    recordXml('cart', { ...row, ...members }, { cart_rows: { entry: 'cart_row', rows } })
  const earlier = earlierId === undefined ? undefined : await readCart(client, earlierId)
  if (earlierId === undefined || earlier === undefined) return client.add('carts', bodyOf({}))
  await client.put('carts', earlierId, bodyOf({ ...scalarsOf(earlier), id: earlierId }))
  return earlierId
}

/** Reads the cart from a list, so that no member is missing for being 0. */
async function readCart (client: ShopClient, id: string): Promise<Row | undefined> {
  const rows = await client.list('carts', { 'filter[id]': `[${id}]`, display: 'full' })
  return rows.find(row => reference(row.id) === id)
}

/** Gives the cart its own prices: without them the order would get the prices of the catalogue. */
export async function pinPrices (
  client: ShopClient,
  { config, clock }: ShopContext,
  { cartId, isNew }: { cartId: string, isNew: boolean },
  ids: CartIds,
  lines: readonly PricedLine[]
): Promise<void> {
  for (const price of isNew ? [] : await readPins(client, cartId)) await client.remove('specific_prices', price)
  // Add another day when the shop's zone is unknown: the price must not end before it begins.
  const days = config.timeZone === undefined ? 2 : 1
  const to = createLocalTime(config.timeZone ?? 'UTC').fromInstant(new Date(clock.now().getTime() + days * dayMs))
  const priceXml = (line: PricedLine) =>
    recordXml('specific_price', {
      id_shop_group: '0',
      id_shop: config.shopId ?? '0',
      id_cart: cartId,
      id_product: line.productId,
      id_product_attribute: line.attributeId,
      id_currency: ids.currency,
      id_country: '0',
      id_group: '0',
      id_customer: ids.customer,
      price: line.netPrice,
      from_quantity: '1',
      reduction: '0',
      reduction_tax: '0',
      reduction_type: 'amount',
      from: '0000-00-00 00:00:00',
      to
    })
  await Promise.all(lines.map(line => client.add('specific_prices', priceXml(line))))
}

/** Reads the ids of a cart's own prices. */
export async function readPins (client: ShopClient, cartId: string): Promise<string[]> {
  const rows = await readAll(client, 'specific_prices', { 'filter[id_cart]': `[${cartId}]`, display: '[id,id_cart]' })
  return rows.filter(row => text(row.id_cart) === cartId).map(row => reference(row.id))
}
