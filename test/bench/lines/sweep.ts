import type { LoggedRequest } from '@linker/simulators'
import { eventually } from '../../support/api.ts'
import type { HubProcess } from '../../support/hub-process.ts'
import { recordRequests } from '../../support/request-record.ts'
import { catalogOf, openStockLine, sweepStock, waitUntilIdle, type StockLine } from '../../support/stock-line.ts'
import { defineBench } from '../bench.ts'
import { repeat, spreadsOf, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { cpuMicroseconds, memoryOf, resetPeak } from '../tools/measured-process.ts'
import { replayReads } from '../tools/replay.ts'
import { withDatabase } from '../tools/with-database.ts'

type Name = 'seconds' | 'written' | 'calls' | 'changed' | 'cpu' | 'each' | 'perCall' | 'resident' | 'growth'

interface Swept {
  figures: Figures<Name>
  reads: LoggedRequest[]
}

const oneIn = 100
const marketplaces = 2
const mebibyte = 1_048_576

/**
 * Measures sweeps over the stock of a whole shop after 1 % changed without a webhook. The hub
 * starts anew before the first sweep and before the others.
 */
export const sweep = defineBench({
  name: 'sweep',
  options: { variants: 100_000 },
  async run ({ modes, environment, runs, options: { variants } }) {
    for (const mode of modes) {
      const report = openReport<Name>({
        name: `sweep-${mode}`,
        title: `A sweep over ${variants} variants, ${mode}`,
        method: 'four fifths are combinations, four to a product; each is on sale on ' +
          `${marketplaces} connections to marketplaces; "written" is when the last write was received`,
        runs,
        columns: {
          seconds: { heading: 'seconds', digits: 1 },
          written: { heading: 'written', digits: 1 },
          calls: { heading: 'calls to shop' },
          changed: { heading: 'changed' },
          cpu: { heading: 'CPU s', digits: 1 },
          each: { heading: 'CPU µs/variant', digits: 1 },
          perCall: { heading: 'variants/call' },
          resident: { heading: 'resident MiB' },
          growth: { heading: 'growth MiB' }
        },
        main: 'seconds'
      })
      const line = await openStockLine({ mode, environment, products: catalogOf(variants), seed: 1 })
      line.shop.sender.switches.drop = true
      try {
        await withHub(line, async hub => {
          await line.connect(marketplaces)
          report.hub('hub, nothing known before', (await measureSweep(line, hub, 0)).figures)
        })
        await sellEverything(line)
        await withHub(line, async hub => {
          const sweeps: Swept[] = []
          while (sweeps.length < runs) sweeps.push(await measureSweep(line, hub, changeSome(line) * marketplaces))
          const seconds = await replayReads(line.shop, sweeps[0]?.reads ?? [])
          const limit = report.limit('its reads by a bare client', { seconds })
          report.hub('hub, 1 % changed', spreadsOf(sweeps.map(({ figures }) => figures)), limit)
          const idle = await repeat(runs, async () => (await measureSweep(line, hub, 0)).figures)
          report.hub('hub, nothing changed', idle, limit)
        })
      } finally {
        await line.close()
      }
      await report.keep()
    }
  }
})

async function withHub (line: StockLine, work: (hub: HubProcess) => Promise<void>): Promise<void> {
  const hub = await line.startHub()
  try {
    await work(hub)
  } finally {
    await hub.stop()
  }
}

async function measureSweep (line: StockLine, { pid }: HubProcess, writes: number): Promise<Swept> {
  await waitUntilIdle(line.call)
  line.shop.requests.clear()
  line.market.requests.clear()
  const read = recordRequests(line.shop.requests, { method: 'GET' })
  const written = recordRequests(line.market.requests, { method: 'PATCH' })
  const variants = line.shop.quantities().length
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
    const cpu = cpuMicroseconds(pid) - cpuBefore
    const lastMs = Math.max(startedMs, ...written.entries().map(({ at }) => Date.parse(at)))
    return {
      reads,
      figures: {
        seconds,
        written: (lastMs - startedMs) / 1_000,
        calls: reads.length,
        changed,
        cpu: cpu / 1_000_000,
        each: cpu / variants,
        perCall: variants / reads.length,
        resident: residentBytes / mebibyte,
        growth: (memoryOf(pid).peakBytes - residentBytes) / mebibyte
      }
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
async function sellEverything (line: StockLine): Promise<void> {
  await withDatabase(line, async query => {
    for (const connectionId of line.connections.markets) {
      const offers = await query<{ externalId: string, quantity: number }>(insertOffers, [
        connectionId,
        `${connectionId.slice(0, 8)}-`
      ])
      for (const { externalId, quantity } of offers) line.market.addProduct(externalId, { stock: quantity })
    }
  })
}

function changeSome ({ shop }: StockLine): number {
  const chosen = shop.quantities().filter((_, index) => index % oneIn === 0)
  for (const { productId, combinationId, quantity } of chosen) shop.setQuantity(productId, combinationId, quantity + 1)
  return chosen.length
}
