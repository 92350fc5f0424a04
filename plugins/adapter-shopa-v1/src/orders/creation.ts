import {
  RejectedError,
  type Address,
  type CreatedOrder,
  type Money,
  type NewOrder,
  type OrderProcessorManager
} from '@linker/sdk'
import type { ShopClient } from '../client.ts'
import type { ShopContext } from '../config.ts'
import { divideHalfUp, formatAmount, netAmount, one } from '../products/gross-amount.ts'
import { decimalsOf } from '../products/prices.ts'
import { createTaxes } from '../products/taxes.ts'
import { reference, text } from '../webservice/row.ts'
import { addressesOf, addressMembers, openAddressBook, pickupPointLine } from './creation/address.ts'
import { addRest, allocateTotals, mergeLines } from './creation/allocate-prices.ts'
import { chooseCarriers } from './creation/carrier.ts'
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
import { paymentName, paymentProblems, unpaidOf } from './creation/payment.ts'
import { createPlaceOrder, type Prepared } from './creation/place-order.ts'
import { createProgressStore, type Plan, type Progress } from './creation/progress.ts'
import { createSettle } from './creation/settle.ts'
import { wordsFor, writeWords } from './creation/words.ts'
import { stateIdOf, unpaidState, type ReadState } from './states.ts'

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
  const taxes = createTaxes(client, { now: () => context.clock.now(), log: context.log })

  /**
   * Finds the order that an earlier attempt made. A failed search throws: without its answer
   * nothing may be made.
   */
  async function findMade (reference: string, progress: Progress | undefined): Promise<CreatedOrder | undefined> {
    if (progress === undefined) return undefined
    const orderId = progress.orderId ?? await findByCart(client, progress.cartId)
    return orderId === undefined ? undefined : settle(reference, { ...progress, orderId })
  }

  async function prepare (order: NewOrder, hasModule: boolean): Promise<Ready> {
    const { currency } = order.total
    const charged = piecesOf(order.shipping.price, currency, 'the shipping') + surchargesOf(order)
    const total = toPieces(order.total.amount, currency)
    const allocated = allocateTotals(mergeLines(cartLines(order)), total - charged)
    // Cents that no line can take in whole go to the shipping: the hub tells the module its price.
    const shipping = hasModule ? charged + allocated.rest : charged
    const lines = hasModule ? allocated.lines : addRest(allocated.lines, allocated.rest)

    const { delivery, invoice } = addressesOf(order)
    const unpaid = unpaidOf(order)
    const pickupPoint = pickupPointLine(order.shipping.pickupPointId)
    // Read everything that may lead to a refusal first, so that a refusal leaves nothing behind in
    // the shop.
    const [known, [country, invoiceCountry], { wanted, ofCart }, groupOf, stateId] = await Promise.all([
      findCurrency(client, currency),
      findCountries(delivery, invoice),
      chooseCarriers(client, context, order, { hasModule }),
      readTaxGroups(client, lines),
      stateFor(order)
    ])
    const deliveryMembers = addressMembers(delivery, country, pickupPoint)
    const percents = await taxes.readPercents([...groupOf.values(), ofCart.taxGroup], async () => ({
      countryId: country.id,
      postcode: deliveryMembers.postcode
    }))
    const priced = priceLines(lines, currency, groupOf, percents)
    const shippingPercent = knownPercent(percents, ofCart.taxGroup, 'the carrier')

    const customer = await findOrAddCustomer(client, context, order)
    const addAddress = await openAddressBook(client, customer)
    const [deliveryId, invoiceId] = await Promise.all([
      addAddress(deliveryMembers),
      order.invoiceAddress === undefined ? undefined : addAddress(addressMembers(invoice, invoiceCountry))
    ])
    const ids: CartIds = {
      currency: known.id,
      language: context.config.languageId ?? '1',
      customer: customer.id,
      carrier: ofCart.id,
      delivery: deliveryId,
      invoice: invoiceId ?? deliveryId
    }
    const amounts = amountsOf({ currency, total, shipping, shippingPercent, lines: priced })
    return {
      prepared: {
        ids,
        lines: priced,
        source: order.source.platformType,
        payment: paymentName(unpaid),
        paid: unpaid === undefined ? amounts.total : '0',
        rate: known.rate,
        ...amounts
      },
      plan: {
        total: amounts.total,
        shipping: amounts.shipping,
        products: amounts.products.gross,
        currency,
        stateId,
        carrier: { id: wanted.id, name: wanted.name, ofCart: ofCart.id },
        isUnpaid: unpaid !== undefined
      }
    }
  }

  async function stateFor (order: NewOrder): Promise<string> {
    const { status } = order
    const isOpen = status === 'pending' || status === 'processing'
    const unpaid = unpaidOf(order)
    if (isOpen && unpaid !== undefined) return unpaidState(context.config, unpaid, await readStates())
    return stateIdOf(context.config, status === 'shipped' || status === 'delivered' ? status : 'processing')
  }

  async function findCountries (delivery: Address, invoice: Address): Promise<[Country, Country]> {
    const country = await findCountry(delivery.country)
    return [country, invoice.country === delivery.country ? country : await findCountry(invoice.country)]
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
      const module = await openModule()
      const placeOrder = createPlaceOrder(client, context, module)

      const { prepared, plan } = await prepare(order, module !== undefined)
      const { ids, lines } = prepared
      const cartId = await writeCart(client, ids, lines, earlier?.cartId)
      await progressStore.set(reference, { cartId, plan })
      const isNew = cartId !== earlier?.cartId
      const [unwritten] = await Promise.all([
        writeWords(client, wordsFor(order), { cartId, customerId: ids.customer, isNew }),
        pinPrices(client, context, { cartId, isNew }, ids, lines)
      ])
      const problems = [...paymentProblems(order), ...unwritten]
      const progress: Progress = { cartId, plan: { ...plan, problems } }
      if (problems.length > 0) await progressStore.set(reference, progress)
      const { stateId } = plan
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

/** An order that can be made, and what is left to do afterwards. */
interface Ready {
  prepared: Prepared
  plan: Plan
}

/** Counts an amount that must be in the order's currency. */
function piecesOf ({ amount, currency }: Money, wanted: string, of: string): bigint {
  if (currency === wanted) return toPieces(amount, wanted)
  throw new RejectedError(`${of} is priced in ${currency}, the order in ${wanted}`)
}

/**
 * Adds the paid extras, such as a deposit: the shop has no member for them, so they are a part of
 * the shipping that the message to the staff names. A discount of the whole order is shared among
 * the lines.
 */
function surchargesOf ({ extras = [], total: { currency } }: NewOrder): bigint {
  const prices = extras.map(({ name, price }) => piecesOf(price, currency, `'${name.slice(0, 64)}'`))
  return prices.filter(price => price > 0n).reduce((sum, price) => sum + price, 0n)
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
