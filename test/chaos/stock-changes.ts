import { setTimeout as wait } from 'node:timers/promises'
import type { SoldVariant, StockLine } from '../support/stock-line.ts'

export interface ChangeOptions {
  changes: number
  sold: readonly SoldVariant[]
  random: () => number
  /** The share of the webhooks that are lost, from 0 to 1. */
  dropShare: number
  /** The share of the changes that may be made by now, from 0 to 1. */
  progress: () => number
  /** The longest time between two changes, in milliseconds. */
  pauseMs: number
}

/** Few enough that offers often share a quantity, so that one request can write several. */
const fewestQuantities = 50
const soldOutShare = 0.1
const lookEveryMs = 50

/**
 * Changes quantities in the shop at random. Returns the quantities that each offer's variant had,
 * and how many changes had no webhook: the webhook was lost, or an earlier one of the window covers
 * them.
 */
export async function changeStock (
  { shop }: StockLine,
  { changes, sold, random, dropShare, progress, pauseMs }: ChangeOptions
) {
  const histories = new Map<string, number[]>()
  for (const { offer, productId, combinationId } of sold) histories.set(offer, [shop.stockOf(productId, combinationId)])
  const below = (limit: number): number => Math.floor(random() * limit)
  const counts = { dropped: 0, repeated: 0 }
  const quantities = Math.max(fewestQuantities, Math.ceil(changes / sold.length) * 4)
  for (let made = 0; made < changes; made += 1) {
    while (made >= changes * progress()) await wait(lookEveryMs)
    const { productId, combinationId, offer } = sold[below(sold.length)] ?? failed()
    const history = histories.get(offer) ?? failed()
    let quantity = random() < soldOutShare ? 0 : below(quantities)
    while (history.includes(quantity)) quantity = below(quantities)
    history.push(quantity)
    shop.sender.switches.drop = random() < dropShare
    const eventId = shop.setQuantity(productId, combinationId, quantity)
    if (eventId === undefined) counts[shop.sender.switches.drop ? 'dropped' : 'repeated'] += 1
    await wait(below(pauseMs))
  }
  return { histories, ...counts }
}

function failed (): never {
  throw new Error('no variant is on sale')
}

/** Runs the shop's cron repeatedly, until `finish()` was called and nothing is left to send. */
export function sendWebhooks ({ shop }: StockLine, everyMs: number) {
  const acknowledged = new Set<string>()
  const counts = { sent: 0, doubled: 0 }
  let isFinishing = false

  async function run (): Promise<void> {
    for (;;) {
      for (const { eventId, statusCode } of await shop.sender.deliver()) {
        counts.sent += 1
        if (statusCode === undefined || statusCode >= 500) continue
        if (statusCode !== 202) throw new Error(`the hub refused a webhook of the shop with ${statusCode}`)
        if (acknowledged.has(eventId)) counts.doubled += 1
        acknowledged.add(eventId)
      }
      const rows = shop.sender.outbox.rows()
      if (rows.some(({ status }) => status === 'failed')) throw new Error('the shop gave up on a webhook')
      if (isFinishing && rows.every(({ status }) => status === 'delivered')) return
      await wait(everyMs)
    }
  }

  const running = run()
  return {
    acknowledged: acknowledged as ReadonlySet<string>,
    async finish () {
      isFinishing = true
      await running
      return counts
    }
  }
}
