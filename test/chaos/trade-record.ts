/** What one party says of an order, in words that all parties share. */
export interface Side {
  status: 'open' | 'shipped' | 'delivered' | 'cancelled'
  /** Where the parcel goes. */
  address: string
  /** The pieces of each variant. */
  lines: string
  /** A decimal. */
  total: string
  currency: string
  /** With the amount that was booked, if it is not the total. */
  payment: 'paid' | 'on delivery' | `paid ${string}`
  /** The shop's carrier, or the one that the delivery method is mapped to. */
  carrier: string
  /** The numbers of the parcels. */
  tracking: string
}

/** An order of a marketplace as the three parties know it. */
export interface OrderFacts {
  market: string
  id: string
  atMarket: Side
  atHub?: Side & { hubId: string, problems: readonly string[] }
  /** Absent when the shop has no order of it, or the hub does not know which. */
  atShop?: Side
}

export interface OfferFacts {
  market: string
  id: string
  hubId: string
  /** What may be sold by the shop's stock and the orders that it has not got yet. */
  wanted: number
  shown: number | undefined
  problems: readonly string[]
}

/** An attention item that needs a person. `about`: the orders, offers and jobs at its target. */
export interface ItemFacts {
  kind: string
  code?: string
  title: string
  about: readonly string[]
}

export interface TradeFacts {
  orders: readonly OrderFacts[]
  offers: readonly OfferFacts[]
  items: readonly ItemFacts[]
  /** Orders of the shop that belong to no order of a marketplace, or to several. */
  strays: readonly string[]
}

type Member = keyof Side | 'known' | 'made' | 'quantity' | 'stray'

/** Something that two parties say differently. */
export interface Difference {
  market: string
  id: string
  hubId?: string
  member: Member
  said: Readonly<Record<string, unknown>>
}

export interface TradeJudgement {
  differences: Difference[]
  /** Differences that lack a problem, or an item that is about them. */
  silent: Difference[]
  /** Problems and items without a difference. */
  unfounded: { market?: string, id?: string, problem?: string, item?: ItemFacts }[]
}

const members = ['status', 'address', 'lines', 'total', 'currency', 'payment', 'carrier', 'tracking'] as const
/** What a buyer may change after the order, and what follows from it. */
const changes: readonly Member[] = ['address', 'lines', 'total', 'payment', 'carrier']

/** The differences that an item of each code, or else of each kind, tells people of. */
const told: Readonly<Record<string, readonly Member[]>> = {
  'failed-orders': ['made'],
  'unmapped-orders': ['made'],
  'stuck-orders': ['made'],
  'not-created': ['made'],
  'held-back': ['made'],
  'gone': ['made', 'status'],
  'shared-lines': ['made', 'lines'],
  'missing-in-shop': ['made'],
  'shop-reported': ['lines', 'total', 'currency', 'payment', 'carrier'],
  'untold-shipments': ['status', 'tracking'],
  'tracking-not-told': ['tracking'],
  'status-not-told': ['status'],
  'processing-not-told': ['status'],
  'shipped-not-told': ['status'],
  'delivered-not-told': ['status'],
  'cancelled-not-told': ['status'],
  // The shop ships it, and no marketplace takes the number of a cancelled order.
  'not-cancelled-in-shop': ['status', 'tracking'],
  'cancellation-refused': ['status', 'tracking'],
  'cancelled-in-shop-only': ['status'],
  'refused-quantities': ['quantity'],
  'oversell': ['quantity'],
  // A quantity that is refused at once has no item of its own.
  'dead-jobs': ['quantity'],
  'LNK_ORDER_CHANGED': changes
}

/** Finds what the parties say differently, and who would never learn of it. */
export function judgeTrade (facts: TradeFacts): TradeJudgement {
  const differences = findDifferences(facts)
  const problems = problemsOf(facts)
  const differing = new Set(differences.map(({ hubId }) => hubId))
  const tells = (item: ItemFacts, { hubId, member }: Difference): boolean =>
    hubId !== undefined && item.about.includes(hubId) && (told[item.code ?? item.kind] ?? told[item.kind])
        ?.includes(member) === true
  // A dead job is about everything that it was to do.
  const isAbout = (item: ItemFacts, difference: Difference): boolean =>
    item.kind === 'dead-jobs' ? item.about.includes(difference.hubId ?? '') : tells(item, difference)
  return {
    differences,
    silent: differences.filter(difference =>
      !problems.has(difference.hubId ?? '') || !facts.items.some(item => tells(item, difference))
    ),
    unfounded: [
      ...[...problems].filter(([hubId]) => !differing.has(hubId)).map(([, problem]) => problem),
      ...facts.items.filter(item => !differences.some(difference => isAbout(item, difference))).map(item => ({ item }))
    ]
  }
}

/** The first problem of each order and offer that has one, by its id in the hub. */
function problemsOf ({ orders, offers }: TradeFacts): Map<string, { market: string, id: string, problem: string }> {
  const known = [
    ...orders.flatMap(({ market, id, atHub }) => atHub === undefined ? [] : [{ market, id, ...atHub }]),
    ...offers
  ]
  return new Map(known.flatMap(({ market, id, hubId, problems: [problem] }) =>
    problem === undefined ? [] : [[hubId, { market, id, problem }] as const]
  ))
}

function findDifferences ({ orders, offers, strays }: TradeFacts): Difference[] {
  return [
    ...orders.flatMap(compareOrder),
    ...offers.filter(({ wanted, shown }) => wanted !== shown).map(({ market, id, hubId, wanted, shown }) => ({
      market,
      id,
      hubId,
      member: 'quantity' as const,
      said: { wanted, shown }
    })),
    ...strays.map(id => ({ market: '', id, member: 'stray' as const, said: {} }))
  ]
}

function compareOrder ({ market, id, atMarket, atHub, atShop }: OrderFacts): Difference[] {
  if (atHub === undefined) return [{ market, id, member: 'known', said: { market: atMarket } }]
  const isOver = atMarket.status === 'cancelled'
  const of = { market, id, hubId: atHub.hubId }
  if (atShop === undefined && !isOver) return [{ ...of, member: 'made', said: { hub: atHub.status } }]
  const sides = { market: atMarket, hub: atHub, ...(atShop === undefined ? {} : { shop: atShop }) }
  return comparedOf(isOver, atShop?.status).flatMap(member => {
    const said = Object.fromEntries(Object.entries(sides).map(([party, side]) => [party, side[member]]))
    return new Set(Object.values(said)).size === 1 ? [] : [{ ...of, member, said }]
  })
}

/** Nobody needs the rest of an order that is cancelled, but its parcel if the shop ships it. */
function comparedOf (isOver: boolean, atShop: Side['status'] | undefined): readonly (keyof Side)[] {
  if (atShop === 'cancelled' || (isOver && atShop === undefined)) return ['status']
  return isOver ? ['status', 'tracking'] : members
}
