import { setTimeout as wait } from 'node:timers/promises'
import type { SoldVariant, StockLine } from '../support/stock-line.ts'

export interface ChangeOptions {
  changes: number
  sold: readonly SoldVariant[]
  random: () => number
  /** Of the webhooks that the changes make. */
  dropShare: number
  /** Share of the changes that may be made by now. */
  progress: () => number
  /** The longest time between two changes, in milliseconds. */
  pauseMs: number
}

/**
 * Few enough for offers to have the same one at the same time, so that one request can write
 * several.
 */
const fewestQuantities = 50
const soldOutShare = 0.1
const lookEveryMs = 50

/**
 * Changes quantities in the shop at random. Answers what each offer's variant had, and how many
 * webhooks were lost or stood for by an earlier one of their window.
 */
export async function changeStock (
  { shop }: StockLine,
  { changes, sold, random, dropShare, progress, pauseMs }: ChangeOptions
) {
  const histories =
    new Map(sold.map(({ offer, productId, combinationId }) => [offer, [shop.stockOf(productId, combinationId)]]))
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
  throw new Error('there is nothing to change')
}

/**
 * The runs of the shop's cron, one after the other, until `finish()` was called and nothing is left
 * to send.
 */
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
      if (rows.some(({ status }) => status === 'failed')) throw new Error('the shop gave a webhook up')
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
