import { openDatabase } from '@linker/runtime'
import type { LoggedRequest } from '@linker/simulators'
import { join } from 'node:path'
import { eventually } from '../support/api.ts'
import type { HubProcess } from '../support/hub-process.ts'
import type { Mode } from '../support/modes.ts'
import { recordRequests } from '../support/request-record.ts'
import { catalogOf, openStockLine, sweepStock, waitUntilIdle, type StockLine } from '../support/stock-line.ts'
import { describeMachine } from './figures.ts'
import { cpuMicroseconds, memoryOf, resetPeak } from './measured-process.ts'
import { replayReads } from './replay.ts'

export interface SweepOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  variants: number
}

interface Figures {
  seconds: number
  /** The time until the last write reached the marketplace. */
  writtenSeconds: number
  reads: LoggedRequest[]
  changed: number
  cpuSeconds: number
  residentBytes: number
  grownBytes: number
}

const oneIn = 100
const marketplaces = 2
const mebibyte = 1_048_576

/** Measures sweeps over the stock of a whole shop after 1 % changed without a webhook. */
export async function benchSweep ({ modes, environment, variants }: SweepOptions): Promise<void> {
  console.log(`sweep: ${variants} variants (four fifths are combinations, four to a product), ` +
    `each on sale on ${marketplaces} connections to marketplaces`)
  console.log(describeMachine())
  console.log('the hub starts anew before the first sweep and before the second; ' +
    '"written": until the last write was received; calls: requests to the shop; ' +
    'CPU and memory are those of the hub\'s process; "growth": its peak less what it had before')
  showRow('', ['seconds', 'written', 'calls', 'changed', 'CPU s', 'RSS MiB', 'growth'])
  for (const mode of modes) {
    const line = await openStockLine({ mode, environment, products: catalogOf(variants), seed: 1 })
    line.shop.sender.switches.drop = true
    try {
      await withHub(line, async hub => {
        await line.connect(marketplaces)
        showSweep(`hub ${mode}: nothing known before`, await measureSweep(line, hub, 0))
      })
      await sellEverything(line)
      await withHub(line, async hub => {
        const changed = changeSome(line)
        const figures = await measureSweep(line, hub, changed * marketplaces)
        showSweep(`hub ${mode}: 1 % changed`, figures)
        const replaySeconds = await replayReads(line.shop, figures.reads)
        const cells = [replaySeconds.toFixed(1), '', String(figures.reads.length)]
        showRow('limit: its reads by a bare client', cells)
        showSweep(`hub ${mode}: once more, nothing changed`, await measureSweep(line, hub, 0))
      })
    } finally {
      await line.close()
    }
  }
}

async function withHub (line: StockLine, work: (hub: HubProcess) => Promise<void>): Promise<void> {
  const hub = await line.startHub()
  try {
    await work(hub)
  } finally {
    await hub.stop()
  }
}

async function measureSweep (line: StockLine, { pid }: HubProcess, writes: number): Promise<Figures> {
  await waitUntilIdle(line.call)
  line.shop.requests.clear()
  line.market.requests.clear()
  const read = recordRequests(line.shop.requests, { method: 'GET' })
  const written = recordRequests(line.market.requests, { method: 'PATCH' })
  const [{ residentBytes }, cpuBefore, startedMs] = [memoryOf(pid), cpuMicroseconds(pid), Date.now()]
  resetPeak(pid)
  try {
    const { status, changed } = await sweepStock(line)
    if (status !== 'complete') throw new Error(`the sweep ended as ${status}`)
    const seconds = (Date.now() - startedMs) / 1_000
    const reads = read.entries()
    // A request writes one offer, or a batch.
    const writtenOffers = (): number => written.entries().flatMap(({ body }) => body).length
    await eventually(`${writes} writes`, async () => writtenOffers() >= writes ? true : undefined)
    await waitUntilIdle(line.call)
    const lastMs = Math.max(startedMs, ...written.entries().map(({ at }) => Date.parse(at)))
    return {
      seconds,
      writtenSeconds: (lastMs - startedMs) / 1_000,
      reads,
      changed,
      residentBytes,
      cpuSeconds: (cpuMicroseconds(pid) - cpuBefore) / 1_000_000,
      grownBytes: memoryOf(pid).peakBytes - residentBytes
    }
  } finally {
    read.stop()
    written.stop()
  }
}

const insertOffers = `
  insert into offers (
    id, connection_id, variant_id, external_id, status, quantity, stock_version, sent_link_version,
    buffer, frozen_fields, problems, created_at, updated_at
  )
  select
    gen_random_uuid(), $1, variant_id, $2 || variant_id, 'ACTIVE', quantity, version, 1,
    0, '[]', '[]', now(), now()
  from stock
  returning external_id as "externalId", quantity`

/**
 * Puts every variant on sale on each connection, as if the hub had written its quantity. It writes
 * the rows itself: linking offers one by one would take longer than the sweeps that are measured.
 */
async function sellEverything ({ mode, state, directory, market, connections }: StockLine): Promise<void> {
  const { DATABASE_URL: databaseUrl } = state.variables
  const database = await openDatabase({
    dataDirectory: join(directory, '.linker'),
    ...(mode === 'embedded' || databaseUrl === undefined ? {} : { databaseUrl })
  }, { warn: () => undefined })
  try {
    for (const connectionId of connections.markets) {
      const offers = await database.query<{ externalId: string, quantity: number }>(insertOffers, [
        connectionId,
        `${connectionId.slice(0, 8)}-`
      ])
      for (const { externalId, quantity } of offers) market.addProduct(externalId, { stock: quantity })
    }
  } finally {
    await database.close()
  }
}

function changeSome ({ shop }: StockLine): number {
  const chosen = shop.quantities().filter((_, index) => index % oneIn === 0)
  for (const { productId, combinationId, quantity } of chosen) shop.setQuantity(productId, combinationId, quantity + 1)
  return chosen.length
}

function showSweep (
  what: string,
  { seconds, writtenSeconds, reads, changed, cpuSeconds, residentBytes, grownBytes }: Figures
): void {
  showRow(what, [
    seconds.toFixed(1),
    writtenSeconds.toFixed(1),
    String(reads.length),
    String(changed),
    cpuSeconds.toFixed(1),
    (residentBytes / mebibyte).toFixed(0),
    (grownBytes / mebibyte).toFixed(0)
  ])
}

function showRow (what: string, cells: readonly string[]): void {
  console.log(what.padEnd(38) + cells.map(cell => cell.padStart(9)).join(''))
}
