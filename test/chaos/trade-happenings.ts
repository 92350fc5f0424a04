import type { SoldVariant } from '../support/stock-line.ts'
import type { Desk, Placed, Wishes } from './order-desks.ts'
import { sideAtMarket, type Trade } from './trade-facts.ts'

/** What happenings share. */
export interface Scene extends Trade {
  random: () => number
  unpaid: { desk: Desk, id: string }[]
  switchedOff: Set<number>
  promotions: number[]
}

/** Something that people or platforms do in a day of trade. */
interface Happening {
  perMinute: number
  /** The share of the run that is over before it happens first. Default 0. */
  from?: number
  /** Answers false when there is nothing that it can happen to yet. */
  happen: (scene: Scene) => boolean
}

/** Few enough pieces that a busy offer never sells out by orders alone. */
const leastPieces = 20
/** The shop's states. Staff ship what is paid, in preparation, or to be paid on delivery. */
const [toShip, shipped, delivered, cancelled] = [[2, 3, 11, 13], 4, 5, 6]

export const happenings = {
  orders: { perMinute: 10, happen: scene => place(scene, {}) },
  toLocker: { perMinute: 4, happen: scene => place(scene, { toLocker: true }) },
  cod: { perMinute: 2, happen: scene => place(scene, { isCod: true }) },
  eur: { perMinute: 1, happen: scene => place(scene, { isInEuro: true }) },
  unpaid: { perMinute: 2, happen: scene => place(scene, {}, false) },
  paidLater: { perMinute: 2, from: 0.1, happen: pay },
  buyerCancelled: { perMinute: 1, from: 0.1, happen: cancelAsBuyer },
  addressChanged: {
    perMinute: 1.5,
    from: 0.2,
    happen: scene => changeAsBuyer(scene, { street: `ul. Nowa ${1 + below(scene, 99)}` })
  },
  linesChanged: { perMinute: 1, from: 0.2, happen: scene => changeAsBuyer(scene, { more: true }) },
  shipped: { perMinute: 12, from: 0.2, happen: ship },
  typedLater: { perMinute: 6, from: 0.3, happen: typeNumber },
  typedSeveral: { perMinute: 1, from: 0.3, happen: scene => typeNumber(scene, 2) },
  delivered: { perMinute: 3, from: 0.4, happen: scene => moveOn(scene, [shipped], delivered) },
  shopCancelled: { perMinute: 0.5, from: 0.3, happen: scene => moveOn(scene, [2], cancelled) },
  restocked: { perMinute: 12, happen: scene => changeStock(scene) },
  refusedAtA: { perMinute: 1, happen: scene => refuseAtA(scene) },
  refusedAtB: { perMinute: 1, happen: scene => refuseAtB(scene) },
  bundles: { perMinute: 3, happen: scene => place(scene, {}, true, scene.sold.filter(isPack)) },
  promoted: { perMinute: 1, happen: promote },
  off: { perMinute: 1, happen: switchOff },
  on: { perMinute: 0.5, from: 0.3, happen: switchOn }
} satisfies Record<string, Happening>

export type HappeningName = keyof typeof happenings

/** Returns what happens when, in milliseconds, in a run of so many minutes; each at least once. */
export function planDay (minutes: number, random: () => number): { name: HappeningName, atMs: number }[] {
  const plan = Object.entries<Happening>(happenings).flatMap(([name, { perMinute, from = 0 }]) =>
    Array.from({ length: Math.max(1, Math.round(perMinute * minutes)) }, () => ({
      name: name as HappeningName,
      atMs: (from + (1 - from) * random()) * minutes * 60_000
    }))
  )
  return plan.toSorted((a, b) => a.atMs - b.atMs)
}

function below ({ random }: Scene, limit: number): number {
  return Math.floor(random() * limit)
}

function pick<Item> (scene: Scene, items: readonly Item[]): Item | undefined {
  return items[below(scene, items.length)]
}

/** The ids of the shop's packs. Both hold two pieces of one product; the second has stock, too. */
export const packs = { ofParts: 60_001, ofBoth: 60_002 }

function isPack ({ productId }: SoldVariant): boolean {
  return Object.values(packs).includes(productId)
}

function place (scene: Scene, wishes: Wishes, isPaid = true, sold: readonly SoldVariant[] = scene.sold): boolean {
  const { desks } = scene
  const desk = pick(scene, wishes.isInEuro === true ? desks.filter(({ name }) => name === 'B') : desks)
  if (desk === undefined) return false
  const shown = desk.quantities()
  const onSale = sold.filter(variant => (shown.get(desk.offerOf(variant)) ?? 0) >= leastPieces)
  const chosen = new Set(Array.from({ length: 1 + below(scene, 3) }, () => pick(scene, onSale)))
  const lines = [...chosen].flatMap(variant =>
    variant === undefined
      ? []
      : [{ offer: desk.offerOf(variant), quantity: 1 + below(scene, 3), unitPrice: 100 + below(scene, 20_000) }]
  )
  if (lines.length === 0) return false
  const id = desk.place(lines, isPaid, wishes)
  desk.placed.push({ id, isCancelled: false, isJoined: false })
  if (!isPaid) scene.unpaid.push({ desk, id })
  return true
}

export function pay ({ unpaid }: Scene): boolean {
  const order = unpaid.shift()
  order?.desk.pay(order.id)
  return order !== undefined
}

/** An order that is paid and that the marketplace does not believe to be shipped. */
function pickOpen (scene: Scene): { desk: Desk, order: Placed } | undefined {
  const waiting = new Set(scene.unpaid.map(({ id }) => id))
  const open = scene.desks.flatMap(desk =>
    desk.placed.filter(({ id }) => !waiting.has(id) && sideAtMarket(scene, desk, id).status === 'open').map(order => ({
      desk,
      order
    }))
  )
  return pick(scene, open)
}

function cancelAsBuyer (scene: Scene): boolean {
  const { desk, order } = pickOpen(scene) ?? {}
  if (desk === undefined || order === undefined) return false
  desk.cancel(order.id)
  order.isCancelled = true
  return true
}

function changeAsBuyer (scene: Scene, change: Parameters<Desk['change']>[1]): boolean {
  const { desk, order } = pickOpen(scene) ?? {}
  if (desk === undefined || order === undefined) return false
  return desk.change(order.id, change)
}

function moveOn (scene: Scene, from: readonly number[], to: number): boolean {
  const { shop } = scene.line
  const order = pick(scene, shop.orders().filter(({ stateId }) => from.includes(stateId)))
  if (order !== undefined) shop.changeOrderState(order.id, to)
  return order !== undefined
}

/** Staff print the label first for some of the parcels. */
function ship (scene: Scene): boolean {
  const { shop } = scene.line
  const order = pick(scene, shop.orders().filter(({ stateId }) => toShip.includes(stateId)))
  if (order === undefined) return false
  if (scene.random() < 0.3) shop.setTracking(order.id, numberOf(order.id, 1))
  shop.changeOrderState(order.id, shipped)
  return true
}

function typeNumber (scene: Scene, parcels = 1): boolean {
  const { shop } = scene.line
  const isBare = ({ stateId, trackingNumber }: { stateId: number, trackingNumber: string }): boolean =>
    [shipped, delivered].includes(stateId) && trackingNumber === ''
  const order = pick(scene, shop.orders().filter(isBare))
  if (order !== undefined) shop.setTracking(order.id, numberOf(order.id, parcels))
  return order !== undefined
}

function numberOf (orderId: number, parcels: number): string {
  return Array.from({ length: parcels }, (_, index) => `00${100_000 + orderId}${index}`).join(', ')
}

function changeStock (scene: Scene, variant = pick(scene, scene.sold)): boolean {
  if (variant === undefined) return false
  const quantity = scene.random() < 0.1 ? 0 : 1_000 + below(scene, 500)
  scene.line.shop.setQuantity(variant.productId, variant.combinationId, quantity)
  return true
}

/** The marketplace takes the command and refuses its task later. */
function refuseAtA (scene: Scene): boolean {
  const variant = pick(scene, scene.sold)
  const { marketA } = scene.line
  if (variant?.offerA === undefined || marketA === undefined) return false
  marketA.market.failNextTask(variant.offerA)
  return changeStock(scene, variant)
}

function refuseAtB (scene: Scene): boolean {
  const answer = { status: 400, body: { name: 'ValidationFailure', message: 'the product is locked', payload: {} } }
  scene.line.market.faults.add({ method: 'PATCH', path: /\/products\//, answer, times: 1 })
  return changeStock(scene)
}

function switchOff (scene: Scene): boolean {
  const product = pick(scene, scene.sold)?.productId
  if (product === undefined) return false
  scene.switchedOff.add(product)
  scene.line.shop.updateProduct(product, scene.random() < 0.5 ? { active: '0' } : { available_for_order: '0' })
  return true
}

function switchOn (scene: Scene): boolean {
  const product = pick(scene, [...scene.switchedOff])
  if (product === undefined) return false
  scene.switchedOff.delete(product)
  scene.line.shop.updateProduct(product, { active: '1', available_for_order: '1' })
  return true
}

/** Begins a promotion, or ends the first one of three. */
function promote (scene: Scene): boolean {
  const { line: { shop }, promotions } = scene
  const variant = pick(scene, scene.sold)
  if (variant === undefined) return false
  promotions.push(shop.addPromotion({ productId: variant.productId, percentage: '0.200000' }))
  const [ended] = promotions.length > 2 ? promotions.splice(0, 1) : []
  if (ended !== undefined) shop.endPromotion(ended)
  return true
}
