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

/**
 * What became of the orders of one marketplace. Those that must be zero come last, from `missing`
 * on.
 */
export interface DeskCounts {
  orders: number
  cancelled: number
  /** Orders that were paid together with another, of which a new one was made. */
  joined: number
  /** Orders of the marketplace without a record, or with more than one. */
  missing: number
  /** Orders without an order in the shop that should have one. */
  notCreated: number
  /**
   * Orders in the shop that were cancelled at the marketplace, or replaced by a joint one, and are
   * not cancelled there.
   */
  notCancelled: number
  /** Orders whose total in the shop is not the buyer's, to the cent. */
  wrongTotal: number
  /** Variants whose stock differs between shop, marketplace and what was sold. */
  wrongStock: number
}

export interface Judgement {
  shopOrders: number
  /** Orders of the shop that no order of a marketplace stands behind alone. */
  doubled: number
  ofDesk: Map<Desk, DeskCounts>
  explanations: string[]
}

type ShopOrder = ReturnType<StockLine['shop']['orders']>[number]
type Note = (name: keyof DeskCounts, detail: object) => void

const cancelledInShop = 6
const mostExplanations = 20

/** Compares what the marketplaces, the hub and the shop have, from the marketplaces' orders on. */
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

  // What nobody claims, or two claim, was made more than once.
  const claims = Map.groupBy(
    known.filter(({ destination }) => typeof destination?.externalId === 'string'),
    ({ destination }) => destination?.externalId
  )
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
  // One that was replaced before the hub read it was never known.
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

/** What each variant has left, whoever bought it. */
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
  return new Map(sold.map(
    variant => [variant, desks.reduce((left, desk) => left - (taken.get(desk.offerOf(variant)) ?? 0), stockOfEach)]
  ))
}

function judgeStock ({ shop }: StockLine, desk: Desk, wanted: ReadonlyMap<SoldVariant, number>, note: Note): void {
  const shown = desk.quantities()
  for (const [variant, quantity] of wanted) {
    const offer = desk.offerOf(variant)
    const [atShop, atMarket] = [shop.stockOf(variant.productId, variant.combinationId), shown.get(offer)]
    if (atShop !== quantity || atMarket !== quantity) note('wrongStock', { offer, wanted: quantity, atShop, atMarket })
  }
}
