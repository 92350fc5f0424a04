import type { SoldVariant, StockLine } from '../support/stock-line.ts'

export interface Line {
  offer: string
  quantity: number
  unitPrice: number
}

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
  place(lines: readonly Line[], isPaid: boolean): string
  pay(id: string): void
  cancel(id: string): void
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
    place: (lines, isPaid) =>
      market.placeOrder({
        lines: lines.map(({ offer, ...line }) => ({ externalId: offer, ...line })),
        ...(isPaid ? {} : { status: 'pending' })
      }),
    pay: market.payOrder,
    cancel: market.cancelOrder,
    takenBy: id => (market.order(id)?.items ?? []).map(({ externalId, quantity }) => [externalId ?? '', quantity]),
    totalOf: () => undefined,
    quantities: market.quantities
  }
}

function deskOfA (market: NonNullable<StockLine['marketA']>['market']): Desk {
  return {
    name: 'A',
    placed: [],
    offerOf: ({ offerA = '' }) => offerA,
    place: (lines, isPaid) =>
      market.placeOrder({
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
    join: market.joinOrders,
    takenBy: id => (market.order(id)?.lineItems ?? []).map(({ offer, quantity }) => [offer.id, quantity]),
    totalOf: id => market.order(id)?.summary.totalToPay.amount,
    quantities: market.quantities
  }
}
