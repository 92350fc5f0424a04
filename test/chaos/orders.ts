import { createRandom } from '@linker/simulators'
import type { Mode } from '../support/modes.ts'
import { openOrderLine } from '../support/order-line.ts'
import { catalogOf, openStockLine, type Markets, type StockLine } from '../support/stock-line.ts'
import { createHubs } from './hubs.ts'
import { judgeRun, type RunJudgement } from './judge-run.ts'
import { shortenTokens, troubleMarketA, type MarketATroubles } from './market-a.ts'
import { desksOf } from './order-desks.ts'
import { placeOrders } from './place-orders.ts'
import { letTimePass } from './stored-state.ts'

export interface OrderChaosOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  orders: number
  variants: number
  kills: number
  seed: number
  markets?: Markets
  /**
   * Replaces the random kills by one kill, right after the shop made this many orders: the hub does
   * not know of the last order yet. The run then skips the time for which the hub believes that the
   * shop may still be making that order. Afterwards no answer of the shop is lost.
   */
  killAtOrder?: number
  /** Share of the shop's answers that are lost after the shop did its work. */
  lostAnswers?: number
}

export type OrderCounts = RunJudgement['counts'] & {
  kills: number,
  hooks: number,
  /** How often other users used up the limit of marketplace A. */
  bursts: number,
  /** How often a kill lost the tokens of marketplace A, so that the seller authorised again. */
  authorised: number
}

export interface OrderResult extends RunJudgement {
  counts: OrderCounts
}

export const mustBeZeroOfOrders = ['doubled', 'dead'] as const
export const mustBeZeroOfMarket = ['missing', 'notCreated', 'notCancelled', 'wrongTotal', 'wrongStock'] as const

// At this speed the shop's day lasts 14 minutes. The prices that the hub gives a cart are valid for
// a day, and they must not end before a busy machine has made the order.
const shopSpeed = 100
const lateMs = 3_000

/**
 * Places orders under faults: hooks and journals are lost, doubled or late, the platforms reset
 * connections after they did the work, and hub processes are killed. Then lets the hub finish and
 * compares marketplaces, hub and shop.
 */
export async function orderUnderFaults (options: OrderChaosOptions): Promise<OrderResult> {
  const { mode, environment, orders, variants, kills, seed, markets = 'b', killAtOrder, lostAnswers = 0.05 } = options
  const random = createRandom(seed)
  const line = await openStockLine({
    mode,
    environment,
    products: catalogOf(variants),
    seed,
    speed: shopSpeed,
    markets
  })
  const hubs = createHubs(line)
  let troubles: MarketATroubles | undefined
  try {
    await hubs.start()
    shortenTokens(line)
    const sold = await openOrderLine(line)
    const desks = desksOf(line)
    troubles = injectFaults(line, lostAnswers)
    const whileAway = async (): Promise<void> => {
      line.shop.faults.clear()
      await letTimePass({ variables: line.state.variables, directory: line.directory })
    }
    const killing = killAtOrder === undefined
      ? hubs.killAtRandom(kills, random)
      : hubs.killWhen(`order ${killAtOrder} of the shop`, () => line.shop.orders().length >= killAtOrder, whileAway)
    await Promise.all([placeOrders(desks, { orders, sold, random: createRandom(seed + 1) }), killing])
    const hooks = (await line.market.hooksSettled()).length
    endFaults(line)
    troubles?.end()
    const { counts, ...found } = await judgeRun(line, desks, sold)
    const { bursts, authorised } = await troubles?.stop() ?? { bursts: 0, authorised: 0 }
    return { counts: { kills: hubs.killed(), hooks, bursts, authorised, ...counts }, ...found }
  } catch (error) {
    throw new Error(`seed ${seed}; the hub logged last:\n${hubs.log().slice(-10).join('\n')}`, { cause: error })
  } finally {
    await troubles?.stop()
    await hubs.end()
    await line.close()
  }
}

function injectFaults (line: StockLine, lostAnswers: number): MarketATroubles | undefined {
  const { shop, market, marketA } = line
  const latency = { minMs: 1, maxMs: 20 }
  shop.setLatency(latency)
  market.setLatency(latency)
  market.hookAccidents({ drop: 0.2, double: 0.2, delayMs: 100 })
  const lost = { reset: true as const, when: 'after' as const, times: Number.POSITIVE_INFINITY }
  shop.faults.add({ ...lost, chance: lostAnswers, method: 'POST', path: /\/api\// })
  market.faults.add({ ...lost, chance: 0.05, method: 'POST', path: /mark-read/ })
  market.faults.add({
    method: 'GET',
    path: /\/(orders|inbox)/,
    answer: { status: 503 },
    times: Number.POSITIVE_INFINITY,
    chance: 0.05
  })
  marketA?.market.journalAccidents({ late: 0.2, lateMs, duplicate: 0.2 })
  return marketA === undefined ? undefined : troubleMarketA(line, marketA, latency)
}

function endFaults ({ shop, market }: StockLine): void {
  shop.faults.clear()
  market.faults.clear()
}
