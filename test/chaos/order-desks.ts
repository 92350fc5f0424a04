import type { SoldVariant, StockLine } from '../support/stock-line.ts'

export interface Line {
  offer: string
  quantity: number
  unitPrice: number
}

/** What the buyer of an order wants beside its lines. */
export interface Wishes {
  isCod?: boolean
  isInEuro?: boolean
  toLocker?: boolean
}

/** A change that a buyer makes to an order. `more`: a piece more of its first line. */
export type BuyerChange = { street: string } | { more: true }

/**
 * A placed order. `isJoined`: the buyer paid it together with another order, and a new order
 * replaces both.
 */
export interface Placed {
  id: string
  isCancelled: boolean
  isJoined: boolean
}

/** A marketplace from the side of its buyers. */
export interface Desk {
  name: 'A' | 'B'
  placed: Placed[]
  /** Returns the offer of a variant; empty when the variant is not on sale here. */
  offerOf(variant: SoldVariant): string
  /** Places an order, prices in grosze, and returns its id. */
  place(lines: readonly Line[], isPaid: boolean, wishes?: Wishes): string
  pay(id: string): void
  cancel(id: string): void
  /** Answers false when the marketplace does not let the buyer change the order any more. */
  change(id: string, change: BuyerChange): boolean
  /** Pays several orders as one and returns the id of the new order. Absent where unsupported. */
  join?: (ids: readonly string[]) => string
  /** Returns the pieces of each offer in an order. */
  takenBy(id: string): [offer: string, quantity: number][]
  /** Returns the amount that the buyer pays, where the marketplace states it. */
  totalOf(id: string): string | undefined
  quantities(): ReadonlyMap<string, number>
}

export function desksOf ({ market, marketA }: StockLine): Desk[] {
  return [deskOfB(market), ...(marketA === undefined ? [] : [deskOfA(marketA.market)])]
}

function deskOfB (market: StockLine['market']): Desk {
  return {
    name: 'B',
    placed: [],
    offerOf: ({ offer }) => offer,
    place: (lines, isPaid, { isCod = false, isInEuro = false, toLocker = false } = {}) =>
      market.placeOrder({
        lines: lines.map(({ offer, ...line }) => ({ externalId: offer, ...line })),
        delivery: { typeId: toLocker ? 'mktbLocker' : isCod ? 'dpdCod' : 'dpd', ...isCod ? { cod: true } : {} },
        ...(isInEuro ? { currency: 'EUR' } : {}),
        ...(isPaid ? {} : { status: 'pending' })
      }),
    pay: market.payOrder,
    cancel: market.cancelOrder,
    change (id, change) {
      const { user, items } = market.order(id) ?? failed(id)
      const [first, ...others] = items.map(({ externalId, quantity }) => ({ externalId, quantity }))
      if ('street' in change) {
        const street = { address: change.street, street: change.street, buildingNumber: '', flatNumber: '' }
        market.changeOrder(id, { deliveryAddress: { ...user?.deliveryAddress, ...street } })
      } else if (first !== undefined) {
        market.changeOrder(id, { lines: [{ ...first, quantity: first.quantity + 1 }, ...others] })
      }
      return true
    },
    takenBy: id => (market.order(id)?.items ?? []).map(({ externalId, quantity }) => [externalId ?? '', quantity]),
    totalOf: () => undefined,
    quantities: market.quantities
  }
}

type MarketA = NonNullable<StockLine['marketA']>['market']

function deskOfA (market: MarketA): Desk {
  return {
    name: 'A',
    placed: [],
    offerOf: ({ offerA = '' }) => offerA,
    place: (lines, isPaid, { isCod = false, toLocker = false } = {}) =>
      market.placeOrder({
        ...(isCod ? { payment: { type: 'CASH_ON_DELIVERY' } } : {}),
        delivery: { method: methodOf(market, toLocker ? 'Locker' : isCod ? 'Courier, cash on delivery' : 'Courier') },
        lines: lines.map(({ offer, quantity, unitPrice }) => ({
          offerId: offer,
          quantity,
          price: (unitPrice / 100).toFixed(2)
        })),
        ...(isPaid ? {} : { status: 'BOUGHT' })
      }),
    pay: market.payOrder,
    cancel: id => {
      market.cancelOrder(id)
    },
    change (id, change) {
      const { lineItems, summary: { totalToPay }, payment, fulfillment } = market.order(id) ?? failed(id)
      const [first, ...others] = lineItems
      if (fulfillment.status !== 'NEW' || fulfillment.shipmentSummary.lineItemsSent !== 'NONE') return false
      if ('street' in change) {
        market.changeAddress(id, { street: change.street })
      } else if (first !== undefined) {
        const amount = (Number(totalToPay.amount) + Number(first.price.amount)).toFixed(2)
        const total = { ...totalToPay, amount }
        market.modifyOrder(id, {
          lineItems: [{ ...first, quantity: first.quantity + 1 }, ...others],
          summary: { totalToPay: total },
          payment: { ...payment, ...(payment.paidAmount === null ? {} : { paidAmount: total }) }
        })
      }
      return true
    },
    join: market.joinOrders,
    takenBy: id => (market.order(id)?.lineItems ?? []).map(({ offer, quantity }) => [offer.id, quantity]),
    totalOf: id => market.order(id)?.summary.totalToPay.amount,
    quantities: market.quantities
  }
}

function methodOf ({ deliveryMethods }: MarketA, wanted: string): { id: string, name: string } {
  const { id, name } = deliveryMethods.find(({ name }) => name === wanted) ?? failed(wanted)
  return { id, name }
}

function failed (what: string): never {
  throw new Error(`the marketplace has no '${what}'`)
}
