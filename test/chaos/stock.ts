import { createRandom } from '@linker/simulators'
import { eventually } from '../support/api.ts'
import type { Mode } from '../support/modes.ts'
import { recordRequests } from '../support/request-record.ts'
import {
  catalogOf,
  openStockLine,
  sellAll,
  sweepStock,
  waitUntilIdle,
  waitUntilSettled,
  type Markets,
  type StockLine
} from '../support/stock-line.ts'
import { createHubs } from './hubs.ts'
import { hasEnded, listJobs } from './jobs.ts'
import { createStockAtA, type StockCountsAtA } from './stock-at-a.ts'
import { changeStock, sendWebhooks } from './stock-changes.ts'
import { findDiverged, judgeWrites, toWrites, type Histories, type Write } from './stock-record.ts'

export interface StockChaosOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  changes: number
  variants: number
  kills: number
  seed: number
  /** The share of the webhooks that are lost, from 0 to 1. */
  dropShare?: number
  markets?: Markets
  /** The longest time between two changes, in milliseconds. */
  pauseMs?: number
}

/** The counts from `diverged` on must be zero. */
export interface StockCounts {
  changes: number
  sent: number
  dropped: number
  /** Changes without a webhook, because an earlier one of the same window covers them. */
  repeated: number
  /** Deliveries of a webhook that the hub had acknowledged before. */
  doubled: number
  kills: number
  writes: number
  /** Offers that were still behind before the sweep, with webhooks alone. */
  behind: number
  /** Offers whose final quantity is not the shop's. */
  diverged: number
  /** Writes of an offer while another write of the same offer was under way. */
  overlapping: number
  /** Writes of an older quantity after a newer one. */
  stale: number
  /** Writes of a quantity that the shop never had. */
  ghost: number
  /** Acknowledged webhooks without a job that ended. */
  lost: number
  dead: number
}

export interface StockResult {
  counts: StockCounts
  /** The counts at marketplace A, if it takes part. */
  atA?: StockCountsAtA
  /**
   * One line per offer that diverged, with the quantities of the shop, the writes and the stock
   * that the hub knows; then the first dead jobs.
   */
  explanations: string[]
}

export const mustBeZero = ['diverged', 'overlapping', 'stale', 'ghost', 'lost', 'dead'] as const

// At this speed a window of the sender takes a tenth of a second: most changes get their own
// webhook, and the hub writes offers in quick succession.
const shopSpeed = 600
const sendEveryMs = 50
const marketLatency = { minMs: 20, maxMs: 600 }
const longestWaitMs = 7 * 3_600_000

/**
 * Changes stock while webhooks are lost, repeated, delayed and shuffled, answers are slow and hub
 * processes are killed. Then lets the hub finish, sweeps once and compares. Marketplace A also
 * loses answers, reaches its limits and lets tokens expire. The seed decides every random choice,
 * but not the timing.
 */
export async function changeStockUnderFaults (options: StockChaosOptions): Promise<StockResult> {
  const { mode, environment, changes, variants, kills, seed, dropShare = 0.2, markets = 'b', pauseMs = 50 } = options
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
  const atA = line.marketA === undefined ? undefined : createStockAtA(line, line.marketA)
  const recorded = recordRequests(line.market.requests, { method: 'PATCH', path: /\/products\// })
  try {
    await hubs.start()
    await line.connect()
    const sold = await sellAll(line)
    await waitUntilSettled(line)
    atA?.begin(marketLatency)
    line.shop.setLatency({ minMs: 1, maxMs: 100 })
    line.market.setLatency(marketLatency)
    Object.assign(line.shop.sender.switches, { duplicate: 0.15, shuffle: true, delaySeconds: 900, crash: 0.01 })
    const sending = sendWebhooks(line, sendEveryMs)
    const [{ histories, ...lostOnTheWay }] = await Promise.all([
      changeStock(line, {
        changes,
        sold,
        random: createRandom(seed + 2),
        dropShare,
        pauseMs,
        progress: () => (hubs.killed() + 1) / (kills + 1)
      }),
      // A sweep runs among the changes: a page that it reads may be older than a product that the
      // hub has read by itself meanwhile.
      hubs.killAtRandom(kills, random, async killed => killed % 2 === 1 ? sweepStock(line) : undefined)
    ])
    // The jump makes every webhook due that waits for a retry or that a dead run had claimed.
    line.shop.sender.switches.crash = false
    line.clock.advance(longestWaitMs)
    const sent = await sending.finish()
    atA?.calm()
    await waitForEvents(line, sending.acknowledged)
    const behind = findDiverged(line.market.quantities(), histories).length
    await sweepStock(line)
    await waitUntilSettled(line)
    const writes = recorded.entries().flatMap(toWrites)
    const diverged = findDiverged(line.market.quantities(), histories)
    const explanations = await Promise.all(diverged.map(offer => explain(line, offer, histories, writes)))
    const judged = await atA?.judge(sold, histories)
    const dead = await listJobs(line.call, 'status=dead')
    explanations.push(...judged?.explanations ?? [], ...dead.slice(0, 5).map(job => JSON.stringify(job)))
    const counts = {
      changes,
      ...sent,
      ...lostOnTheWay,
      kills,
      writes: writes.length,
      behind,
      diverged: diverged.length,
      overlapping: [...line.market.overlappingWrites().values()].reduce((sum, count) => sum + count, 0),
      ...judgeWrites(writes, histories),
      lost: (await findLost(line, sending.acknowledged)).length,
      dead: dead.length
    }
    return { counts, ...(judged === undefined ? {} : { atA: judged.counts }), explanations }
  } catch (error) {
    throw new Error(`seed ${seed}; the hub logged last:\n${hubs.log().slice(-10).join('\n')}`, { cause: error })
  } finally {
    recorded.stop()
    await atA?.stop()
    await hubs.end()
    await line.close()
  }
}

/** Returns the events that have no job, or whose job has not ended. */
async function findLost ({ call, connections }: StockLine, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const jobs = await listJobs(call, `connectionId=${connections.shop}`)
  const ended = new Set(jobs.filter(hasEnded).map(({ payload }) => payload.eventId))
  return [...acknowledged].filter(eventId => !ended.has(eventId))
}

async function waitForEvents (line: StockLine, acknowledged: ReadonlySet<string>): Promise<void> {
  await eventually(
    'the end of the jobs of every webhook',
    async () => (await findLost(line, acknowledged)).length === 0 ? true : undefined
  ).catch(() => undefined)
  await waitUntilIdle(line.call)
}

async function explain (
  { call, market }: StockLine,
  offer: string,
  histories: Histories,
  writes: readonly Write[]
): Promise<string> {
  const known = (await call('GET', `/stock?variantId=${offer}`)).text
  const jobs = (await listJobs(call, 'jobType=marketplace.offerQuantity.update')).filter(({ idempotencyKey }) =>
    idempotencyKey.includes(`:${offer}:`) || known.includes(idempotencyKey.split(':')[2] ?? ' ')
  )
  return JSON.stringify({
    offer,
    shop: histories.get(offer)?.slice(-5),
    market: market.product(offer)?.stock,
    writes: writes.filter(write => write.offer === offer).slice(-5).map(({ quantity }) => quantity),
    known: JSON.parse(known) as unknown,
    jobs: jobs.slice(0, 5)
  })
}
