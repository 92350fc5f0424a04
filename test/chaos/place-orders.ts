import { setTimeout as wait } from 'node:timers/promises'
import type { SoldVariant } from '../support/stock-line.ts'
import type { Desk, Line, Placed } from './order-desks.ts'

export interface PlaceOptions {
  orders: number
  sold: readonly SoldVariant[]
  random: () => number
  /** Longest time between two orders; the mean is half of it. Default: 50. */
  longestPauseMs?: number
  /** Buyers wait for it after half of the orders. */
  halfway?: Promise<void>
}

/** Lets buyers order at all marketplaces. Some pay later or pay two orders at once; some cancel. */
export async function placeOrders (
  desks: readonly Desk[],
  { orders, sold, random, longestPauseMs = 50, halfway }: PlaceOptions
): Promise<void> {
  const waiting = new Map<Desk, Placed>()
  // A variant keeps one price: the shop cannot always make one order of orders that were paid
  // together at different prices, and refuses.
  const priced = sold.map((variant): Priced => ({ variant, unitPrice: 100 + Math.floor(random() * 20_000) }))
  for (let made = 0; made < orders; made += 1) {
    if (made >= orders / 2) await halfway
    const desk = pick(desks, random)
    const isUnpaid = random() < 0.2
    const order = {
      id: desk.place(linesAt(desk, priced, random), !isUnpaid),
      isCancelled: random() < 0.1,
      isJoined: false
    }
    desk.placed.push(order)
    const isPaidWithAnother = isUnpaid && desk.join !== undefined && !order.isCancelled && random() < 0.5
    await wait(random() * longestPauseMs)
    if (isPaidWithAnother) {
      joinOrWait(desk, order, waiting)
      continue
    }
    if (isUnpaid) desk.pay(order.id)
    if (order.isCancelled) desk.cancel(order.id)
  }
  for (const [desk, { id }] of waiting) desk.pay(id)
}

interface Priced {
  variant: SoldVariant
  unitPrice: number
}

function linesAt (desk: Desk, priced: readonly Priced[], random: () => number): Line[] {
  const fewPieces = (): number => 1 + Math.floor(random() * 3)
  const chosen = new Set(Array.from({ length: fewPieces() }, () => pick(priced, random)))
  return [...chosen].map(({ variant, unitPrice }) => ({
    offer: desk.offerOf(variant),
    quantity: fewPieces(),
    unitPrice
  }))
}

function joinOrWait (desk: Desk, order: Placed, waiting: Map<Desk, Placed>): void {
  const first = waiting.get(desk)
  if (first === undefined || desk.join === undefined) {
    waiting.set(desk, order)
    return
  }
  waiting.delete(desk)
  for (const each of [first, order]) each.isJoined = true
  desk.placed.push({ id: desk.join([first.id, order.id]), isCancelled: false, isJoined: false })
}

function pick<Item> (items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('the list to choose from is empty')
  return item
}
