import type { SoldVariant, StockLine } from '../support/stock-line.ts'
import type { Desk, Placed } from './order-desks.ts'

export interface HubOrder {
  id: string
  externalId: string
  status: string
  problems: string[]
  total: { amount: string }
  destination: { externalId: string | null } | null
}

export interface OrderRecord {
  line: StockLine
  known: readonly HubOrder[]
  desks: readonly Desk[]
  sold: readonly SoldVariant[]
  stockOfEach: number
}

/** The results for the orders of one marketplace. The counts from `missing` on must be zero. */
export interface DeskCounts {
  orders: number
  cancelled: number
  /** Orders that the buyer paid together with another, so that a new order replaces them. */
  joined: number
  /** Orders of the marketplace with no record in the hub, or with several. */
  missing: number
  /** Orders that should have an order in the shop and have none. */
  notCreated: number
  /** Open orders in the shop whose marketplace order was cancelled or replaced by a joint one. */
  notCancelled: number
  /** Orders whose total in the shop differs from the amount that the buyer pays. */
  wrongTotal: number
  /** Variants whose stock in the shop or at the marketplace does not match the orders. */
  wrongStock: number
}

export interface Judgement {
  shopOrders: number
  /** Orders of the shop that belong to no order of a marketplace, or to several. */
  doubled: number
  ofDesk: Map<Desk, DeskCounts>
  explanations: string[]
}

type ShopOrder = ReturnType<StockLine['shop']['orders']>[number]
type Note = (name: keyof DeskCounts, detail: object) => void

const cancelledInShop = 6
const mostExplanations = 20

/** Compares the orders of the marketplaces with those of the hub and the shop. */
export function judgeOrders ({ line, known, desks, sold, stockOfEach }: OrderRecord): Judgement {
  const explanations: string[] = []
  const shopOrders = new Map(line.shop.orders().map(order => [String(order.id), order]))
  const byExternalId = Map.groupBy(known, ({ externalId }) => externalId)
  const wanted = wantedStock(desks, sold, stockOfEach)
  const explain = (text: object): void => {
    if (explanations.length < mostExplanations) explanations.push(JSON.stringify(text))
  }

  const ofDesk = new Map(desks.map(desk => {
    const { placed } = desk
    const counts = {
      orders: placed.filter(({ isJoined }) => !isJoined).length,
      cancelled: placed.filter(({ isCancelled }) => isCancelled).length,
      joined: placed.filter(({ isJoined }) => isJoined).length,
      missing: 0,
      notCreated: 0,
      notCancelled: 0,
      wrongTotal: 0,
      wrongStock: 0
    }
    const note: Note = (name, detail) => {
      counts[name] += 1
      explain({ at: desk.name, [name]: detail })
    }
    for (const order of placed) judgeOrder(desk, order, { records: byExternalId.get(order.id) ?? [], shopOrders, note })
    judgeStock(line, desk, wanted, note)
    return [desk, counts]
  }))

  // A shop order that no record of the hub claims, or two claim, is one that the hub made twice.
  const claiming = known.filter(({ destination }) => typeof destination?.externalId === 'string')
  const claims = Map.groupBy(claiming, ({ destination }) => destination?.externalId)
  const doubled = [...shopOrders].filter(([id]) => claims.get(id)?.length !== 1)
  for (const [id, shopOrder] of doubled) explain({ doubled: { shopOrder, claims: claims.get(id) ?? [] } })
  return { shopOrders: shopOrders.size, doubled: doubled.length, ofDesk, explanations }
}

interface Found {
  records: readonly HubOrder[]
  shopOrders: ReadonlyMap<string, ShopOrder>
  note: Note
}

function judgeOrder (desk: Desk, { id, isCancelled, isJoined }: Placed, { records, shopOrders, note }: Found): void {
  const [order, ...more] = records
  // The hub never knows an order that a joint one replaced before the hub read it.
  if (order === undefined && isJoined) return
  if (order === undefined || more.length > 0) {
    note('missing', { id, records: records.length })
    return
  }
  const atShop = shopOrders.get(order.destination?.externalId ?? '')
  if (atShop === undefined) {
    if (!isCancelled && !isJoined) note('notCreated', order)
    return
  }
  if (isCancelled || isJoined) {
    if (atShop.stateId !== cancelledInShop) note('notCancelled', { order, stateId: atShop.stateId })
    return
  }
  const total = desk.totalOf(id) ?? order.total.amount
  if (order.total.amount !== total || (atShop.total !== undefined && Number(atShop.total).toFixed(2) !== total)) {
    note('wrongTotal', { order, paid: total, inShop: atShop.total })
  }
}

/** Returns the stock that each variant must have left after the orders of all marketplaces. */
function wantedStock (
  desks: readonly Desk[],
  sold: readonly SoldVariant[],
  stockOfEach: number
): Map<SoldVariant, number> {
  const taken = new Map<string, number>()
  for (const desk of desks) {
    for (const { id } of desk.placed.filter(({ isCancelled, isJoined }) => !isCancelled && !isJoined)) {
      for (const [offer, quantity] of desk.takenBy(id)) taken.set(offer, (taken.get(offer) ?? 0) + quantity)
    }
  }
  const leftOf = (variant: SoldVariant): number =>
    desks.reduce((left, desk) => left - (taken.get(desk.offerOf(variant)) ?? 0), stockOfEach)
  return new Map(sold.map(variant => [variant, leftOf(variant)]))
}

function judgeStock ({ shop }: StockLine, desk: Desk, wanted: ReadonlyMap<SoldVariant, number>, note: Note): void {
  const shown = desk.quantities()
  for (const [variant, quantity] of wanted) {
    const offer = desk.offerOf(variant)
    const [atShop, atMarket] = [shop.stockOf(variant.productId, variant.combinationId), shown.get(offer)]
    if (atShop !== quantity || atMarket !== quantity) note('wrongStock', { offer, wanted: quantity, atShop, atMarket })
  }
}
