import { RejectedError, type Address, type CreatedOrder, type NewOrder, type OrderProcessorManager } from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { divideHalfUp, formatAmount, netAmount, one } from '../products/gross-amount.ts'
import { decimalsOf } from '../products/prices.ts'
import { createTaxes, type Taxes } from '../products/taxes.ts'
import { reference, text } from '../webservice/row.ts'
import { addressesOf, addressMembers, openAddressBook } from './creation/address.ts'
import { allocateTotals, mergeLines } from './creation/allocate-prices.ts'
import { chooseCarrier } from './creation/carrier.ts'
import {
  cartLines,
  knownPercent,
  pinPrices,
  priceLines,
  readTaxGroups,
  toPieces,
  writeCart,
  type CartIds
} from './creation/cart.ts'
import { createCountries, type Country } from './creation/country.ts'
import { findCurrency } from './creation/currency.ts'
import { findOrAddCustomer } from './creation/customer.ts'
import { createOrderPath } from './creation/order-path.ts'
import { orderReferenceOf } from './creation/order-reference.ts'
import { createPlaceOrder, type Prepared } from './creation/place-order.ts'
import { createProgressStore, type Progress } from './creation/progress.ts'
import { createSettle } from './creation/settle.ts'
import { stateIdOf, type ReadState } from './states.ts'

type Creation = Required<Pick<OrderProcessorManager, 'createOrder' | 'findOrder'>>

/** Makes orders for a guest, exactly one for each reference, however often it is tried. */
export function createCreation (
  client: ShopClient,
  context: ShopContext,
  readStates: () => Promise<ReadState>
): Creation {
  const progressStore = createProgressStore(context.kv)
  const settle = createSettle(client, context, { progressStore, readStates })
  const openModule = createOrderPath(client, context)
  const findCountry = createCountries(client, context)
  const taxesOf = new Map<string, Taxes>()

  /**
   * Finds the order that an earlier attempt made. A failed search throws: without its answer
   * nothing may be made.
   */
  async function findMade (reference: string, progress: Progress | undefined): Promise<CreatedOrder | undefined> {
    if (progress === undefined) return undefined
    const orderId = progress.orderId ?? await findByCart(client, progress.cartId)
    return orderId === undefined ? undefined : settle(reference, { ...progress, orderId })
  }

  async function prepare (order: NewOrder): Promise<Prepared> {
    const { currency } = order.total
    const shipping = toPieces(order.shipping.price.amount, currency)
    const total = toPieces(order.total.amount, currency)
    const lines = allocateTotals(mergeLines(cartLines(order)), total - shipping)

    const { delivery, invoice } = addressesOf(order)
    // Read everything that may lead to a refusal first, so that a refusal leaves nothing behind in
    // the shop.
    const [currencyId, [country, invoiceCountry], carrier, groupOf] = await Promise.all([
      findCurrency(client, currency),
      findCountries(delivery, invoice),
      chooseCarrier(client, context, order),
      readTaxGroups(client, lines)
    ])
    const percents = await taxesFor(country.id).readPercents([...groupOf.values(), carrier.taxGroup])
    const priced = priceLines(lines, currency, groupOf, percents)
    const shippingPercent = knownPercent(percents, carrier.taxGroup, 'the carrier')

    const customer = await findOrAddCustomer(client, context, order)
    const { pickupPointId } = order.shipping
    const pickupPoint = pickupPointId === undefined ? undefined : `Pickup point ${pickupPointId}`
    const addAddress = await openAddressBook(client, customer)
    const [deliveryId, invoiceId] = await Promise.all([
      addAddress(addressMembers(delivery, country, pickupPoint)),
      order.invoiceAddress === undefined ? undefined : addAddress(addressMembers(invoice, invoiceCountry))
    ])
    const ids: CartIds = {
      currency: currencyId,
      language: context.config.languageId ?? '1',
      customer: customer.id,
      carrier: carrier.id,
      delivery: deliveryId,
      invoice: invoiceId ?? deliveryId
    }
    return {
      ids,
      lines: priced,
      source: order.source.platformType,
      ...amountsOf({ currency, total, shipping, shippingPercent, lines: priced })
    }
  }

  async function findCountries (delivery: Address, invoice: Address): Promise<[Country, Country]> {
    const country = await findCountry(delivery.country)
    return [country, invoice.country === delivery.country ? country : await findCountry(invoice.country)]
  }

  function taxesFor (countryId: string): Taxes {
    const known = taxesOf.get(countryId) ?? createTaxes(client, async () => countryId, () => context.clock.now())
    taxesOf.set(countryId, known)
    return known
  }

  return {
    async findOrder (reference) {
      const progress = await progressStore.get(reference)
      const made = progress === undefined
        ? await findByReference(client, orderReferenceOf(reference))
        : await findMade(reference, progress)
      return made ?? null
    },

    async createOrder (order, { reference }) {
      const earlier = await progressStore.get(reference)
      const made = await findMade(reference, earlier)
      if (made !== undefined) return made
      if (order.status === 'cancelled' || order.status === 'returned') {
        throw new RejectedError(`the order is ${order.status}, the shop does not need it any more`)
      }
      // Open the module before anything is made: without it the order could not be finished.
      const placeOrder = createPlaceOrder(client, context, await openModule())

      const prepared = await prepare(order)
      const { shipping, total, ids, lines } = prepared
      const status = order.status === 'pending' ? 'processing' : order.status
      const stateId = stateIdOf(context.config, status)
      const cartId = await writeCart(client, ids, lines, earlier?.cartId)
      const progress: Progress = { cartId, plan: { total, shipping, stateId } }
      await progressStore.set(reference, progress)
      await pinPrices(client, context, { cartId, isNew: cartId !== earlier?.cartId }, ids, lines)
      return settle(reference, { ...progress, orderId: await placeOrder(cartId, prepared, { stateId, reference }) })
    }
  }
}

async function findByCart (client: ShopClient, cartId: string): Promise<string | undefined> {
  const rows = await client.list('orders', { 'filter[id_cart]': `[${cartId}]`, display: 'full' })
  return text(rows.find(row => reference(row.id_cart) === cartId)?.id)
}

/**
 * Finds an order of which this hub knows nothing: its state was restored from a backup that is
 * older than the order. Finds only orders that the module made.
 */
async function findByReference (client: ShopClient, wanted: string): Promise<CreatedOrder | undefined> {
  const rows = await client.list('orders', { 'filter[reference]': `[${wanted}]`, display: 'full' })
  const externalId = text(rows.find(row => text(row.reference) === wanted)?.id)
  return externalId === undefined ? undefined : { externalId }
}

interface Amounts {
  currency: string
  total: bigint
  shipping: bigint
  shippingPercent: bigint
  lines: Prepared['lines']
}

/** Returns the order's amounts as decimals. */
function amountsOf ({ currency, total, shipping, shippingPercent, lines }: Amounts) {
  const decimals = decimalsOf(currency)
  const piece = one / 10n ** BigInt(decimals)
  const microsPerPiece = 10n ** BigInt(6 - decimals)
  const gross = lines.reduce((sum, line) => sum + line.total, 0n)
  const micros = lines.reduce((sum, line) => sum + BigInt(line.netPrice.replace('.', '')) * line.quantity, 0n)
  return {
    total: formatAmount(total, decimals),
    shipping: { gross: formatAmount(shipping, decimals), net: netAmount(shipping * piece, shippingPercent) },
    products: {
      gross: formatAmount(gross, decimals),
      net: formatAmount(divideHalfUp(micros, microsPerPiece), decimals)
    }
  }
}
