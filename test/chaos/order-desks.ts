import type { SoldVariant, StockLine } from '../support/stock-line.ts'

export interface Line {
  offer: string
  quantity: number
  unitPrice: number
}

/**
 * What happened to an order. `isJoined`: it was paid together with another, and a new one stands
 * for both.
 */
export interface Placed {
  id: string
  isCancelled: boolean
  isJoined: boolean
}

/** A marketplace as its buyers have it. */
export interface Desk {
  name: 'A' | 'B'
  placed: Placed[]
  /** The offer of a variant; empty when it is not on sale here. */
  offerOf(variant: SoldVariant): string
  /** Prices are grosze. Answers the id. */
  place(lines: readonly Line[], isPaid: boolean): string
  pay(id: string): void
  cancel(id: string): void
  /** Pays several orders as one, where that is done: the id of the new one. */
  join?: (ids: readonly string[]) => string
  /** Pieces of each offer of an order. */
  takenBy(id: string): [offer: string, quantity: number][]
  /** What the buyer pays, where one number says so. */
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
