import type { Latency } from '@linker/simulators'
import type { MarketALine } from '../support/market-a-line.ts'
import { recordRequests } from '../support/request-record.ts'
import { waitUntilSettled, type SoldVariant, type StockLine } from '../support/stock-line.ts'
import { countOverlaps, countReused, takenWrites, toSent, type SentToA } from './market-a-record.ts'
import { shortenTokens, troubleMarketA, type MarketATroubles } from './market-a.ts'
import { judgeWrites, type Histories, type Write } from './stock-record.ts'

/** The counts from `diverged` on must be zero. */
export interface StockCountsAtA {
  /** Quantities that the marketplace accepted; a command counts once for each of its offers. */
  writes: number
  commands: number
  /** Requests answered with 429. */
  refused: number
  bursts: number
  refreshes: number
  /** How often a kill lost the tokens, so that the seller authorised the hub again. */
  authorised: number
  /** Offers whose final quantity or status does not match the stock of the shop. */
  diverged: number
  /** Requests for an offer while another for the same offer was under way. */
  overlapping: number
  stale: number
  ghost: number
  /** Ids of commands that were sent with more than one body. */
  reused: number
  /** Writes that are missing or too many when a quantity goes from 5 to 6 and back. */
  notRepeated: number
}

export const mustBeZeroAtA = ['diverged', 'overlapping', 'stale', 'ghost', 'reused', 'notRepeated'] as const

export interface StockAtA {
  counts: StockCountsAtA
  explanations: string[]
}

/**
 * Follows marketplace A through a run: injects its faults, records its requests and judges the
 * result. Create it before the line connects.
 */
export function createStockAtA (line: StockLine, marketA: MarketALine) {
  const { market, realTime } = marketA
  const recorded = recordRequests(market.rest.requests, { path: /change-commands\/|product-offers\// })
  const refreshes = recordRequests(market.web.requests, { method: 'POST', path: /token$/ })
  let troubles: MarketATroubles | undefined
  shortenTokens(line)

  return {
    begin (latency: Latency) {
      troubles = troubleMarketA(line, marketA, latency)
    },
    calm () {
      troubles?.end()
    },
    async judge (sold: readonly SoldVariant[], known: Histories): Promise<StockAtA> {
      // Offers that are starting or ending need this long until they have started or ended.
      marketA.jump(2 * market.switches.processingMs)
      const histories = new Map(sold.map(({ offer, offerA = '' }) => [offerA, known.get(offer) ?? []]))
      const listSent = () => recorded.entries().flatMap(entry => toSent(realTime, entry))
      const sent = listSent()
      const [writes, commands] = [takenWrites(sent), market.commands().length]
      const diverged = [...histories].filter(([offer, history]) => !shows(marketA, offer, history.at(-1) ?? 0))
      const explanations = diverged.map(([offer, history]) => explain(marketA, offer, history, writes))
      const written = await changeToAndFro(line, sold, listSent)
      const isRepeated = written.join() === toAndFro.join()
      if (!isRepeated) explanations.push(JSON.stringify({ wanted: toAndFro, written }))
      const counts = {
        writes: writes.length,
        commands,
        refused: market.limitCounts().refused,
        ...await troubles?.stop() ?? { bursts: 0, authorised: 0 },
        refreshes: refreshes.entries().filter(({ body }) => JSON.stringify(body).includes('refresh_token')).length,
        diverged: diverged.length,
        overlapping: countOverlaps(sent),
        ...judgeWrites(writes, histories),
        reused: countReused(sent),
        notRepeated: isRepeated ? 0 : Math.max(1, Math.abs(written.length - toAndFro.length))
      }
      return { counts, explanations }
    },
    async stop () {
      recorded.stop()
      refreshes.stop()
      await troubles?.stop()
    }
  }
}

/** Whether an offer shows the quantity: it must have ended at 0 and be on sale otherwise. */
function shows ({ market }: MarketALine, offerId: string, quantity: number): boolean {
  const offer = market.offer(offerId)
  return offer?.stock.available === quantity && offer.publication.status === (quantity === 0 ? 'ENDED' : 'ACTIVE')
}

/** The quantity that puts an offer back on sale if it had sold out. */
const back = 7
const toAndFro = [5, 6, 5]

/**
 * Changes the quantity of a variant to another and back, and returns the quantities that its offer
 * got. The hub writes each once, mostly by a command, or to the offer itself when the journal of
 * offers has told the hub meanwhile that the offer had ended.
 */
async function changeToAndFro (
  line: StockLine,
  sold: readonly SoldVariant[],
  listSent: () => SentToA[]
): Promise<number[]> {
  const [variant] = sold
  if (variant === undefined) throw new Error('no variant is on sale')
  await changeTo(line, variant, back)
  const before = listSent().length
  for (const quantity of toAndFro) await changeTo(line, variant, quantity)
  const writes = takenWrites(listSent().slice(before))
  return writes.filter(({ offer }) => offer === variant.offerA).map(({ quantity }) => quantity)
}

async function changeTo (line: StockLine, { productId, combinationId }: SoldVariant, quantity: number): Promise<void> {
  line.shop.setQuantity(productId, combinationId, quantity)
  const { status, text } = await line.call('POST', '/jobs', {
    body: {
      jobType: 'master.inventory.syncByExternalId',
      connectionId: line.connections.shop,
      payload: { externalId: String(productId) }
    }
  })
  if (status !== 202) throw new Error(`POST /jobs answered ${status}: ${text}`)
  await waitUntilSettled(line)
}

function explain (
  { market }: MarketALine,
  offerId: string,
  history: readonly number[],
  writes: readonly Write[]
): string {
  const { stock, publication } = market.offer(offerId) ?? {}
  const commands = market.commands().filter(({ tasks }) => tasks.some(({ offer }) => offer.id === offerId)).slice(-3)
  return JSON.stringify({
    offerA: offerId,
    shop: history.slice(-5),
    market: stock?.available,
    status: publication?.status,
    writes: writes.filter(({ offer }) => offer === offerId).slice(-5).map(({ quantity }) => quantity),
    commands: commands.map(({ id, createdAt, completedAt, body, tasks }) => ({
      id,
      createdAt,
      completedAt,
      quantity: Reflect.get(body, 'modification') as unknown,
      errors: tasks.find(({ offer }) => offer.id === offerId)?.errors
    }))
  })
}
