import { request } from 'undici'
import type { SoldVariant, StockLine } from '../support/stock-line.ts'
import { listAll } from './jobs.ts'
import type { Desk } from './order-desks.ts'
import type { ItemFacts, OfferFacts, OrderFacts, Side, TradeFacts } from './trade-record.ts'

/** What the run knows of its line. */
export interface Trade {
  line: StockLine
  desks: readonly Desk[]
  sold: readonly SoldVariant[]
  /** The `id_reference` of the shop's carrier for a delivery method. */
  carrierFor: (methodId: string) => string
}

type Row = Readonly<Record<string, string>>
type MarketB = StockLine['market']
type MarketA = NonNullable<StockLine['marketA']>['market']

interface HubOrder {
  id: string
  connectionId: string
  externalId: string
  status: string
  problems: string[]
  tracking: { carrier: string, number: string } | null
  destination: { externalId: string | null } | null
  snapshot: {
    lines: { offerExternalId?: string, quantity: number }[],
    total: { amount: string, currency: string },
    shipping: {
      methodId: string,
      address?: {
        firstName?: string,
        lastName?: string,
        street: string,
        postcode: string,
        city: string,
        country: string
      }
    },
    payment: { method: string }
  }
}

interface HubItem {
  kind: string
  severity: string
  code?: string
  title: string
  target: string
}

const atOnce = 8

/** Asks all parties what they know now. */
export async function readTrade (trade: Trade): Promise<TradeFacts> {
  const shop = await readShop(trade.line)
  const orders = await readOrders(trade.line)
  const connectionOf = connectionsOf(trade.line)
  const facts = trade.desks.flatMap(desk => {
    const known = new Map(orders.filter(({ connectionId }) => connectionId === connectionOf[desk.name]).map(order => [
      order.externalId,
      order
    ]))
    return desk.placed.map(({ id }) => factsOf(trade, desk, { id, order: known.get(id), shop }))
  })
  const claims = Map.groupBy(orders, ({ destination }) => destination?.externalId ?? undefined)
  return {
    orders: facts,
    offers: await readOffers(trade, facts),
    items: await readItems(trade.line),
    strays: [...shop.keys()].filter(id => claims.get(id)?.length !== 1)
  }
}

function connectionsOf ({ connections: { markets: [atB = ''] }, marketA }: StockLine): Record<Desk['name'], string> {
  return { A: marketA?.connectionId ?? '', B: atB }
}

function factsOf (
  trade: Trade,
  desk: Desk,
  { id, order, shop }: { id: string, order: HubOrder | undefined, shop: ReadonlyMap<string, Side> }
): OrderFacts {
  const atShop = shop.get(order?.destination?.externalId ?? '')
  return {
    market: desk.name,
    id,
    atMarket: sideAtMarket(trade, desk, id),
    ...(order === undefined
      ? {}
      : { atHub: { ...sideAtHub(trade, order), hubId: order.id, problems: order.problems } }),
    ...(atShop === undefined ? {} : { atShop })
  }
}

/** Returns what a marketplace says of an order. */
export function sideAtMarket (trade: Trade, { name }: Desk, id: string): Side {
  const { market, marketA } = trade.line
  return name === 'B' || marketA === undefined ? sideAtB(trade, market, id) : sideAtA(trade, marketA.market, id)
}

const codOr = (isCod: boolean): Side['payment'] => isCod ? 'on delivery' : 'paid'

/** The pieces of each variant. */
function piecesOf (lines: readonly (readonly [variant: string, quantity: number])[]): string {
  const pieces = Map.groupBy(lines, ([variant]) => variant)
  const sums = [...pieces].map(([variant, of]) =>
    `${of.reduce((sum, [, quantity]) => sum + quantity, 0)} of ${variant}`
  )
  return sums.toSorted().join(', ')
}

function parcelsOf (parcels: readonly { carrier: string, number: string }[]): string {
  const numbers = parcels.flatMap(({ carrier, number }) =>
    number.split(/[\s,;]+/).filter(Boolean).map(part => `${carrier.toLowerCase()} ${part}`)
  )
  return [...new Set(numbers)].toSorted().join(', ')
}

function placeOf (...parts: readonly (string | undefined)[]): string {
  return parts.map(part => part?.trim() ?? '').filter(Boolean).join(', ')
}

function variantOf ({ sold }: Trade, offer: string | undefined): string {
  const variant = sold.find(variant => variant.offer === offer || variant.offerA === offer)
  return variant === undefined ? `offer ${offer}` : keyOf(variant)
}

function keyOf ({ productId, combinationId }: Pick<SoldVariant, 'productId' | 'combinationId'>): string {
  return `${productId}:${combinationId}`
}

function sideAtB (trade: Trade, market: MarketB, id: string): Side {
  const order = market.order(id)
  if (order === undefined) throw new Error(`marketplace B has no order ${id}`)
  const { status, sellerStatus, user, items, totalPrice, currency = 'PLN', delivery } = order
  const { firstName, lastName, address, zip, city, country } = user?.deliveryAddress ?? {}
  const parcels = market.parcels().filter(({ orderId }) => orderId === id)
  return {
    status: status === 'cancelled' || sellerStatus === 'canceled' ? 'cancelled' : statusOf(sellerStatus),
    address: placeOf(`${firstName} ${lastName}`, address, zip, city, country?.toUpperCase()),
    lines: piecesOf(items.map(({ externalId, quantity }) => [variantOf(trade, externalId), quantity])),
    total: (totalPrice / 100).toFixed(2),
    currency,
    payment: codOr(delivery.cod),
    carrier: trade.carrierFor(delivery.typeId),
    tracking: parcelsOf(parcels.map(({ shipping, trackingNumber = '' }) => ({
      carrier: shipping.vendor,
      number: trackingNumber
    })))
  }
}

function statusOf (word: string): Side['status'] {
  if (['sent', 'readyToPickup', 'SENT', 'shipped'].includes(word)) return 'shipped'
  return ['received', 'PICKED_UP', 'delivered'].includes(word) ? 'delivered' : 'open'
}

function sideAtA (trade: Trade, market: MarketA, id: string): Side {
  const form = market.order(id)
  if (form === undefined) throw new Error(`marketplace A has no order ${id}`)
  const { status, fulfillment, lineItems, summary: { totalToPay }, payment } = form
  const { address, method } = form.delivery as { address: Row, method: { id: string } }
  return {
    status: [status, fulfillment.status].includes('CANCELLED') ? 'cancelled' : statusOf(fulfillment.status),
    address: placeOf(
      `${address.firstName} ${address.lastName}`,
      address.street,
      address.zipCode,
      address.city,
      address.countryCode
    ),
    lines: piecesOf(lineItems.map(({ offer, quantity }) => [variantOf(trade, offer.id), quantity])),
    total: totalToPay.amount,
    currency: totalToPay.currency,
    payment: codOr(payment.type === 'CASH_ON_DELIVERY'),
    carrier: trade.carrierFor(method.id),
    tracking: parcelsOf(market.shipments(id).map(({ carrierId, carrierName, waybill }) => ({
      carrier: carrierName ?? carrierId,
      number: waybill
    })))
  }
}

async function readOrders ({ call }: StockLine): Promise<HubOrder[]> {
  const ids = (await listAll<{ id: string }>(call, '/orders?newestFirst=false')).map(({ id }) => id)
  const orders: HubOrder[] = []
  while (ids.length > 0) {
    const answers = await Promise.all(ids.splice(0, atOnce).map(id => call('GET', `/orders/${id}`)))
    orders.push(...answers.map(({ json }) => json as HubOrder))
  }
  return orders
}

function sideAtHub (trade: Trade, { status, tracking, snapshot }: HubOrder): Side {
  const { lines, total, shipping, payment } = snapshot
  const { firstName, lastName, street, postcode, city, country } = shipping.address ?? {}
  return {
    status: status === 'cancelled' ? 'cancelled' : statusOf(status),
    address: placeOf(`${firstName} ${lastName}`, street, postcode, city, country),
    lines: piecesOf(lines.map(({ offerExternalId, quantity }) => [variantOf(trade, offerExternalId), quantity])),
    total: total.amount,
    currency: total.currency,
    payment: codOr(payment.method === 'cash-on-delivery'),
    carrier: trade.carrierFor(shipping.methodId),
    tracking: parcelsOf(tracking === null ? [] : [tracking])
  }
}

/** Reads the orders of the shop through its webservice, as its back office shows them. */
async function readShop (line: StockLine): Promise<Map<string, Side>> {
  const names = ['orders', 'order_details', 'order_carriers', 'order_histories', 'order_states', 'addresses'] as const
  const more = ['countries', 'currencies', 'carriers'] as const
  const tables =
    new Map(await Promise.all([...names, ...more].map(async name => [name, await readRows(line, name)] as const)))
  const by = (name: typeof names[number] | typeof more[number], column: string): Map<string, Row[]> =>
    Map.groupBy(tables.get(name) ?? [], row => String(row[column]))
  const [details, carrierRows, histories] = [
    by('order_details', 'id_order'),
    by('order_carriers', 'id_order'),
    by('order_histories', 'id_order')
  ]
  const [states, addresses, countries] = [by('order_states', 'id'), by('addresses', 'id'), by('countries', 'id')]
  const [currencies, carriers] = [by('currencies', 'id'), by('carriers', 'id')]
  const first = (rows: Map<string, Row[]>, id: unknown): Row => rows.get(String(id))?.[0] ?? {}

  return new Map((tables.get('orders') ?? []).map(order => {
    const id = String(order.id)
    const address = first(addresses, order.id_address_delivery)
    const parcel = carrierRows.get(id)?.at(-1)
    const carrier = first(carriers, parcel?.id_carrier)
    const state = first(states, order.current_state)
    // The shop takes an order that is shipped for paid.
    const wasPaid = (histories.get(id) ?? []).map(({ id_order_state: state }) => first(states, state))
      .some(({ paid, shipped }) => paid === '1' && shipped !== '1')
    const [total, booked] = [order.total_paid_tax_incl, order.total_paid_real].map(amount => Number(amount).toFixed(2))
    return [id, {
      status: shopStatus(state),
      address: placeOf(
        `${address.firstname} ${address.lastname}`,
        address.address1,
        address.postcode,
        address.city,
        first(countries, address.id_country).iso_code
      ),
      lines: piecesOf((details.get(id) ?? []).map(row => [
        keyOf({ productId: Number(row.product_id), combinationId: Number(row.product_attribute_id) }),
        Number(row.product_quantity)
      ])),
      total: total ?? '',
      currency: String(first(currencies, order.id_currency).iso_code),
      payment: wasPaid && booked !== total ? `paid ${booked}` as const : codOr(!wasPaid),
      carrier: carrier.id_reference ?? 'none',
      tracking: parcelsOf([{ carrier: carrier.name ?? '', number: parcel?.tracking_number ?? '' }])
    }]
  }))
}

function shopStatus ({ id, shipped }: Row): Side['status'] {
  if (String(id) === '6') return 'cancelled'
  if (String(id) === '5') return 'delivered'
  return shipped === '1' ? 'shipped' : 'open'
}

async function readRows ({ shop, keys }: StockLine, resource: string): Promise<Row[]> {
  const { statusCode, body } = await request(
    `${shop.apiUrl}/${resource}?display=full&sort=[id_ASC]&output_format=JSON`,
    {
      headers: { authorization: `Basic ${Buffer.from(`${keys.shop}:`).toString('base64')}` }
    }
  )
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`the shop answered ${statusCode} for ${resource}: ${text}`)
  const rows = Object.values(JSON.parse(text) as object).flat() as Record<string, unknown>[]
  const asText = (value: unknown) => typeof value === 'number' ? String(value) : value
  return rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)]))) as Row[]
}

async function readOffers (trade: Trade, orders: readonly OrderFacts[]): Promise<OfferFacts[]> {
  const { line, desks, sold } = trade
  const wanted = wantedOf(line, sold, orders)
  const connectionOf = connectionsOf(line)
  const offers = await Promise.all(desks.map(async desk => {
    type HubOffer = { id: string, externalId: string, problems: string[] }
    const known = await listAll<HubOffer>(line.call, `/offers?connectionId=${connectionOf[desk.name]}`)
    const shown = desk.quantities()
    return sold.map((variant): OfferFacts => {
      const id = desk.offerOf(variant)
      const { id: hubId = '', problems = [] } = known.find(({ externalId }) => externalId === id) ?? {}
      return {
        market: desk.name,
        id,
        hubId,
        wanted: wanted.get(keyOf(variant)) ?? 0,
        shown: shown.get(id),
        // The word of marketplace B for an offer that is sold out, or that was while its reads lag.
        problems: problems.filter(problem => problem !== 'stock')
      }
    })
  }))
  return offers.flat()
}

/** What may be sold of each variant: what the shop sells, without orders that it has not got. */
function wantedOf (
  line: StockLine,
  sold: readonly SoldVariant[],
  orders: readonly OrderFacts[]
): Map<string, number> {
  const parse = (lines = ''): Map<string, number> =>
    new Map(lines.split(', ').filter(Boolean).map(part => {
      const [pieces = '', variant = ''] = part.split(' of ')
      return [variant, Number(pieces)]
    }))
  const open = orders.filter(({ atMarket }) => atMarket.status === 'open')
  const missing = (variant: string): number =>
    open.filter(({ atShop }) => atShop === undefined || atShop.status === 'open')
      .map(({ atMarket, atShop }) =>
        Math.max(0, (parse(atMarket.lines).get(variant) ?? 0) - (parse(atShop?.lines).get(variant) ?? 0))
      )
      .reduce((sum, pieces) => sum + pieces, 0)
  return new Map(sold.map(variant => {
    const sellable = line.shop.sellableOf(variant.productId, variant.combinationId)
    return [keyOf(variant), Math.max(0, sellable - missing(keyOf(variant)))]
  }))
}

/** An item that only informs needs nobody. */
async function readItems ({ call }: StockLine): Promise<ItemFacts[]> {
  const items = (await call('GET', '/attention')).json as HubItem[]
  return Promise.all(items.filter(({ severity }) => severity !== 'info').map(async ({ kind, code, title, target }) => ({
    kind,
    ...(code === undefined ? {} : { code }),
    title,
    about: await readTarget(call, target)
  })))
}

/** Returns the ids of the orders and offers that a target lists, or that its jobs are about. */
async function readTarget (call: StockLine['call'], target: string): Promise<string[]> {
  if (!/^\/(?:orders|offers|jobs)\?/.test(target)) return []
  type Listed = { id: string, payload?: { orderId?: string, offerId?: string } }
  const listed = await listAll<Listed>(call, target)
  return listed.flatMap(({ id, payload }) => [id, payload?.orderId, payload?.offerId].filter(id => id !== undefined))
}
