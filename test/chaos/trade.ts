import { createRandom, type ProductInput } from '@linker/simulators'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../support/api.ts'
import type { Mode } from '../support/modes.ts'
import { openOrderLine } from '../support/order-line.ts'
import { catalogOf, openStockLine, waitUntilSettled, type StockLine } from '../support/stock-line.ts'
import { createHubs } from './hubs.ts'
import { listAll, listJobs } from './jobs.ts'
import { openFailOver } from './links.ts'
import { desksOf } from './order-desks.ts'
import { sendWebhooks } from './stock-changes.ts'
import { readTrade, type Trade } from './trade-facts.ts'
import { happenings, packs, pay, planDay, type HappeningName, type Scene } from './trade-happenings.ts'
import { judgeTrade, type TradeJudgement } from './trade-record.ts'

export interface TradeOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  minutes: number
  seed: number
  variants?: number
}

/** How often each thing happened, and the result. `silent` and `unfounded` must be zero. */
export type TradeCounts = Partial<Record<HappeningName | 'maintenance' | 'failOvers', number>> & {
  placed: number,
  inShop: number,
  /** Differences that a person was told of. */
  told: number,
  /** Differences without a problem and an attention item. */
  silent: number,
  /** Problems and attention items without a difference. */
  unfounded: number
}

export interface TradeResult {
  counts: TradeCounts
  explanations: string[]
}

export const mustBeZeroOfTrade = ['silent', 'unfounded'] as const

const every = '15s'
const cronMs = 5_000
const maintenanceMs = 90_000
/** A shop with a page that names an hour rests for five minutes, and a poll follows. */
const restMs = 600_000
const mostExplanations = 30
const lockers = ['mktbLocker', '685d8b40-2571-4111-8937-9220b1710d4c']
const schedules = Object.fromEntries([
  'master-inventory-sweep',
  'marketplace-offers-sync',
  'marketplace-orders-poll',
  'marketplace-orders-sweep',
  'shop-orders-poll',
  'mktb-orders-poll',
  'mkta-offer-events',
  'mkta-quantity-commands'
].map(name => [name, { every }]))

/**
 * Lets a shop and two marketplaces trade for some minutes, as people and platforms really do. Then
 * ends all faults, waits for two quiet polls of everything, and compares what the three parties
 * say.
 */
export async function tradeUnderFaults (options: TradeOptions): Promise<TradeResult> {
  const { mode, environment, minutes, seed, variants = 20 } = options
  const closers: (() => unknown)[] = []
  const products = [...catalogOf(variants), ...packsOf(50_001)]
  const line = await openStockLine({ mode, environment, products, seed, markets: 'a,b', schedules })
  closers.push(() => line.close())
  const hubs = createHubs(line)
  closers.push(() => hubs.end())
  try {
    const failOver = mode === 'full' ? await openFailOver({ teardown: close => closers.push(close) }) : undefined
    if (failOver !== undefined) line.moveTo({ ...line.state.variables, REDIS_URL: failOver.url })
    await hubs.start()
    const trade = await openTrade(line)
    const sending = sendWebhooks(line, cronMs)
    const random = createRandom(seed + 2)
    const scene: Scene = { ...trade, random, unpaid: [], switchedOff: new Set(), promotions: [] }
    troublePlatforms(line)
    const [happened, faults] = await Promise.all([
      letHappen(scene, planDay(minutes, random)),
      letFail(line, minutes * 60_000, failOver?.befall)
    ])
    while (pay(scene));
    endFaults(line)
    await sending.finish()
    await awaitQuiet(line)
    const facts = await readTrade(trade)
    const judgement = judgeTrade(facts)
    return {
      counts: {
        ...happened,
        ...faults,
        placed: facts.orders.length,
        inShop: facts.orders.filter(({ atShop }) => atShop !== undefined).length,
        told: judgement.differences.length - judgement.silent.length,
        silent: judgement.silent.length,
        unfounded: judgement.unfounded.length
      },
      explanations: await explain(line, judgement)
    }
  } catch (error) {
    throw new Error(`seed ${seed}; the hub logged last:\n${hubs.log().slice(-10).join('\n')}`, { cause: error })
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Packs of two pieces of a product: one sells what its parts allow, one has pieces of its own. */
function packsOf (productId: number): ProductInput[] {
  const pack = [{ productId, quantity: 2 }]
  return [
    {
      id: packs.ofParts,
      name: 'Two mugs',
      pack,
      fields: { pack_stock_type: '1', reference: 'TWO', price: '30.000000' }
    },
    { id: packs.ofBoth, name: 'A box', pack, fields: { pack_stock_type: '2', reference: 'BOX', price: '35.000000' } }
  ]
}

async function openTrade (line: StockLine): Promise<Trade> {
  line.shop.setCurrencyActive('EUR', true)
  // The parcels of both marketplaces have these carriers, too.
  line.shop.editCarrier(1, { name: 'InPost', is_free: '0', id_tax_rules_group: '1' })
  line.shop.editCarrier(2, { name: 'DPD' })
  const carriers = lockers.map(methodId => ({ methodId, carrierReference: '1' }))
  const shop = { carriers, timeZone: 'Europe/Warsaw' }
  const sold = await openOrderLine(line, { pollEvery: every, shop })
  const carrierFor = (methodId: string): string => lockers.includes(methodId) ? '1' : '2'
  return { line, sold, desks: desksOf(line), carrierFor }
}

/** Loses and doubles what platforms send by themselves. */
function troublePlatforms ({ shop, market, marketA }: StockLine): void {
  const latency = { minMs: 1, maxMs: 50 }
  shop.setLatency(latency)
  market.setLatency(latency)
  marketA?.market.rest.setLatency(latency)
  market.hookAccidents({ drop: 0.2, double: 0.2, delayMs: 100 })
  marketA?.market.journalAccidents({ late: 0.2, lateMs: 3_000, duplicate: 0.2 })
  Object.assign(shop.sender.switches, { drop: 0.2, duplicate: 0.1 })
}

function endFaults ({ shop, market, marketA }: StockLine): void {
  shop.faults.clear()
  market.faults.clear()
  marketA?.market.rest.faults.clear()
  market.hookAccidents({})
  marketA?.market.journalAccidents({})
}

type Happened = Partial<Record<HappeningName, number>>

/** Lets everything happen at its time. Something that has no object yet is tried again later. */
async function letHappen (scene: Scene, plan: ReturnType<typeof planDay>): Promise<Happened> {
  const counts: Happened = Object.fromEntries(Object.keys(happenings).map(name => [name, 0]))
  const beganAt = performance.now()
  let late: HappeningName[] = []
  for (const { name, atMs } of plan) {
    await wait(Math.max(0, beganAt + atMs - performance.now()))
    late = [name, ...late].filter(due => {
      const isDone = happenings[due].happen(scene)
      if (isDone) counts[due] = (counts[due] ?? 0) + 1
      return !isDone
    })
  }
  return counts
}

/** The faults that last: they need a long run, because platforms rest after them. */
async function letFail (
  { shop }: StockLine,
  runMs: number,
  failOver: (() => Promise<void>) | undefined
): Promise<{ maintenance: number, failOvers: number }> {
  const counts = { maintenance: 0, failOvers: 0 }
  await wait(runMs / 4)
  if (runMs >= 2 * maintenanceMs) {
    shop.switches.maintenance = true
    await wait(maintenanceMs)
    shop.switches.maintenance = false
    counts.maintenance += 1
  }
  if (failOver !== undefined) {
    await failOver()
    counts.failOvers += 1
  }
  return counts
}

/** Waits until nothing is left to do, and then for two more polls of everything. */
async function awaitQuiet (line: StockLine): Promise<void> {
  const { call } = line
  // A wait that fails is no error here: the record shows what is missing.
  await eventually('the end of the jobs of all orders', async () => {
    const open = await Promise.all(['queued', 'running', 'waiting'].map(status => listJobs(call, `status=${status}`)))
    return open.flat().some(({ idempotencyKey }) => idempotencyKey.startsWith('order')) ? undefined : true
  }, restMs).catch(() => undefined)
  const [since, polls] = [new Date().toISOString(), await listPolls(line)]
  await eventually('two polls of everything', async () => {
    for (const { connectionId, job } of polls) {
      const ended = await listJobs(call, `connectionId=${connectionId}&jobType=${job}&status=succeeded&since=${since}`)
      if (ended.length < 2) return undefined
    }
    return true
  }).catch(() => undefined)
  await waitUntilSettled(line)
}

async function listPolls ({ call, connections, marketA }: StockLine) {
  type Poll = { connectionId: string, job: string, enabled: boolean }
  const ids = [connections.shop, ...connections.markets, ...(marketA === undefined ? [] : [marketA.connectionId])]
  const lists = await Promise.all(ids.map(id => listAll<Poll>(call, `/schedules?connectionId=${id}`)))
  return lists.flat().filter(({ enabled }) => enabled)
}

async function explain ({ call }: StockLine, { silent, unfounded }: TradeJudgement): Promise<string[]> {
  const shown = silent.slice(0, mostExplanations)
  const histories = await Promise.all(shown.map(async ({ hubId = '', member }) => {
    if (hubId === '' || member === 'quantity') return {}
    const { json } = await call('GET', `/orders/${hubId}`)
    const { problems, history } = json as { problems: string[], history: { event: string, detail: object }[] }
    return { problems, history: history.slice(-8).map(({ event, detail }) => `${event} ${JSON.stringify(detail)}`) }
  }))
  return [
    ...shown.map((difference, index) => JSON.stringify({ silent: { ...difference, ...histories[index] } })),
    ...unfounded.slice(0, mostExplanations).map(found => JSON.stringify({ unfounded: found }))
  ]
}
