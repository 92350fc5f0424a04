import { createRandom } from '@linker/simulators'
import { join } from 'node:path'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { openOrderLine } from '../support/order-line.ts'
import { catalogOf, openStockLine, type Markets, type StockLine } from '../support/stock-line.ts'
import { createHubs } from './hubs.ts'
import { judgeRun, type RunJudgement } from './judge-run.ts'
import { authoriseUntil, shortenTokens } from './market-a.ts'
import { desksOf } from './order-desks.ts'
import { placeOrders, type PlaceOptions } from './place-orders.ts'
import { withStoredState } from './stored-state.ts'

export interface MoveOptions extends Pick<PlaceOptions, 'orders' | 'longestPauseMs'> {
  /** The mode of the hub before the move. */
  mode: Mode
  /** The mode of the hub after it. */
  target: Mode
  environment: NodeJS.ProcessEnv
  variants: number
  seed: number
  markets?: Markets
}

export type MoveCounts = RunJudgement['counts'] & {
  /** How often marketplace A had to be authorised again. */
  authorised: number
}

export interface RestoreCounts extends MoveCounts {
  /** Orders in the shop when the backup was made. */
  shopOrdersAtBackup: number
  /** Orders in the shop when the hub was lost. */
  shopOrdersAtLoss: number
}

export interface TransferCounts extends MoveCounts {
  /** Jobs that had not ended when the hub stopped. */
  openJobs: number
}

export interface MoveResult<Counts extends MoveCounts> extends Omit<RunJudgement, 'counts'> {
  counts: Counts
}

// The prices that the hub gives a cart are valid for a day of the shop.
const shopSpeed = 100

/**
 * Backs a hub up while half of the orders come in, goes on with the others for a while, kills it,
 * restores the backup into an empty state, and lets the rest come in. Then the operator does what
 * the documentation says (sweeps, and authorises marketplace A again), and marketplaces, hub and
 * shop are compared.
 */
export async function restoreUnderLoad (options: MoveOptions): Promise<MoveResult<RestoreCounts>> {
  const { orders, target } = options
  // A slow backup would leave no order to come in after it.
  const { promise: backedUp, resolve: goOn } = Promise.withResolvers<void>()
  return moveUnderLoad({ ...options, halfway: backedUp }, async ({ line, hubs, linker, place }) => {
    const file = join(line.directory, 'under-load.backup.gz')
    await shopHas(line, orders / 4)
    await linker(['backup', '--out', file, '--url', line.url, '--token', line.keys.admin]).finally(goOn)
    const shopOrdersAtBackup = line.shop.orders().length
    await shopHas(line, Math.max(orders / 2, shopOrdersAtBackup + 1))
    await hubs.end()
    const shopOrdersAtLoss = line.shop.orders().length
    const state = target === 'embedded' ? { LINKER_DATA_DIR: join(line.directory, 'restored') } : place
    await linker(['restore', file], state)
    return { state, counts: { shopOrdersAtBackup, shopOrdersAtLoss } }
  })
}

/**
 * Stops an embedded hub in the middle of its work, moves its state to PostgreSQL, and goes on
 * there.
 */
export async function transferUnderLoad (options: Omit<MoveOptions, 'mode'>): Promise<MoveResult<TransferCounts>> {
  return moveUnderLoad({ ...options, mode: 'embedded' }, async ({ line, hubs, linker, place }) => {
    await shopHas(line, options.orders / 2)
    // Slow, so that the hub stops in the middle of a job.
    line.shop.setLatency({ minMs: 2_000, maxMs: 2_000 })
    await eventually('a running job of the shop', async () => {
      const { json } = await line.call('GET', `/jobs?status=running&connectionId=${line.connections.shop}&limit=1`)
      return Array.isArray(json) && json.length > 0 ? true : undefined
    })
    const codes = await hubs.stop()
    line.shop.setLatency({ minMs: 0, maxMs: 0 })
    if (codes.some(code => code !== 0)) throw new Error(`the hub ended with ${codes.join(', ')} instead of 0`)
    const openJobs = await countOpenJobs(line)
    await linker(['transfer'], place)
    return { state: place, counts: { openJobs } }
  })
}

interface Moving {
  line: StockLine
  hubs: ReturnType<typeof createHubs>
  /** Runs a command in the folder of the hub. Throws when it fails. */
  linker(args: readonly string[], variables?: Record<string, string>): Promise<void>
  /** Where the hub goes: a new database, and a number of Redis. */
  place: Record<string, string>
}

interface Moved<More> {
  state: Record<string, string>
  counts: More
}

async function moveUnderLoad<More extends object> (
  { mode, target, environment, variants, seed, markets = 'b', ...pace }: MoveOptions & Pick<PlaceOptions, 'halfway'>,
  move: (moving: Moving) => Promise<Moved<More>>
): Promise<MoveResult<MoveCounts & More>> {
  const products = catalogOf(variants)
  const line = await openStockLine({ mode, environment, products, seed, speed: shopSpeed, markets })
  const place = await openMode(target, environment)
  const [before, after] = [createHubs(line), createHubs({ ...line, mode: target })]
  const ending = new AbortController()
  try {
    await before.start()
    shortenTokens(line)
    const sold = await openOrderLine(line)
    const desks = desksOf(line)
    const authorising = line.marketA === undefined ? 0 : authoriseUntil(ending.signal, line, line.marketA)
    const placing = placeOrders(desks, { ...pace, sold, random: createRandom(seed + 1) })
    const linker = async (args: readonly string[], variables: Record<string, string> = {}): Promise<void> => {
      const { code, stderr } = await runLinker(args, line.directory, variables)
      if (code !== 0) throw new Error(`linker ${args.join(' ')} ended ${code}: ${stderr}`)
    }
    const [moved] = await Promise.all([
      move({ line, hubs: before, linker, place: place.variables }).then(async moved => {
        line.moveTo(moved.state)
        await after.start()
        return moved
      }),
      placing
    ])
    for (
      const id of [...line.connections.markets, ...(line.marketA === undefined ? [] : [line.marketA.connectionId])]
    ) {
      await linker(['orders', 'sweep', id, '--url', line.url, '--token', line.keys.admin])
    }
    const { counts, ...found } = await judgeRun(line, desks, sold)
    ending.abort()
    return { counts: { ...moved.counts, ...counts, authorised: await authorising }, ...found }
  } catch (error) {
    const logged = [...before.log(), ...after.log()].slice(-10).join('\n')
    throw new Error(`seed ${seed}; the hub logged last:\n${logged}`, { cause: error })
  } finally {
    ending.abort()
    await before.end()
    await after.end()
    await line.close()
    await place.close()
  }
}

async function shopHas ({ shop }: StockLine, orders: number): Promise<void> {
  await eventually(`${orders} orders in the shop`, async () => shop.orders().length >= orders ? true : undefined)
}

async function countOpenJobs ({ state, directory }: StockLine): Promise<number> {
  return withStoredState({ variables: state.variables, directory }, async ({ query }) => {
    const [row] = await query<
      { count: number }
    >("select count(*)::integer as count from jobs where state in ('queued', 'running', 'returned')")
    return row?.count ?? 0
  })
}
