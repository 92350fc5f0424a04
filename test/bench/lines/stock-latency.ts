import { generateCatalog } from '@linker/simulators'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { openStockLine, sellAll, waitUntilIdle, type SoldVariant, type StockLine } from '../../support/stock-line.ts'
import { defineBench } from '../bench.ts'
import { percentilesOf, repeat, type Percentiles } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { cpuMicroseconds } from '../tools/measured-process.ts'

const warmUps = 50
const pauseMs = 50

/**
 * Measures the time from the shop's stock webhook to the write that arrives at the marketplace, one
 * change at a time on an idle hub.
 */
export const stockLatency = defineBench({
  name: 'stock-latency',
  options: { changes: 300 },
  async run ({ modes, environment, runs, options: { changes } }) {
    for (const mode of modes) {
      const report = openReport({
        name: `stock-latency-${mode}`,
        title: `Webhook sent to write received, ${mode}`,
        method: `${changes} changes one after the other, each of another product, ${pauseMs} ms between them, ` +
          `after ${warmUps} of warm-up`,
        runs,
        columns: {
          p50: { heading: 'p50 ms', digits: 1 },
          p99: { heading: 'p99 ms', digits: 1 },
          longest: { heading: 'longest ms', digits: 1 },
          cpu: { heading: 'CPU ms', digits: 1 }
        },
        main: 'p50'
      })
      const line = await openStockLine({
        mode,
        environment,
        products: generateCatalog({ products: warmUps + changes, combinationsEach: 0 }),
        seed: 1
      })
      const hub = await line.startHub()
      try {
        await line.connect()
        const sold = await sellAll(line)
        await waitUntilIdle(line.call)
        const [warmUp, measured] = [sold.slice(0, warmUps), sold.slice(warmUps)]
        await measureParts(line, warmUp)
        const parts = await repeat(runs, async () => ({ ...await measureParts(line, measured) }))
        const limit = report.limit('the round trips to both platforms, bare', parts)
        await measureChanges(line, warmUp)
        const ways = await repeat(runs, async () => {
          const before = cpuMicroseconds(hub.pid)
          const percentiles = await measureChanges(line, measured)
          return { ...percentiles, cpu: (cpuMicroseconds(hub.pid) - before) / 1_000 / changes }
        })
        report.hub('hub', ways, limit)
      } finally {
        await hub.stop()
        await line.close()
      }
      await report.keep()
    }
  }
})

async function measureChanges (
  { shop, market, clock }: StockLine,
  sold: readonly SoldVariant[]
): Promise<Percentiles> {
  const times: number[] = []
  // Of the changes of a product within a minute, the shop reports only the first.
  clock.advance(60_000)
  for (const { productId, combinationId } of sold) {
    shop.setQuantity(productId, combinationId, shop.stockOf(productId, combinationId) + 1)
    market.requests.clear()
    const startedAt = performance.now()
    const [[delivery], received] = await Promise.all([shop.sender.deliver(), receivedAt(market)])
    if (delivery?.statusCode !== 202) {
      throw new Error(`the hub answered ${delivery?.statusCode ?? delivery?.error} to the webhook`)
    }
    times.push(received - startedAt)
    await wait(pauseMs)
  }
  return percentilesOf(times)
}

async function receivedAt ({ requests }: StockLine['market']): Promise<number> {
  const { durationMs = 0 } = await requests.waitFor({ method: 'PATCH' }, AbortSignal.timeout(60_000))
  return performance.now() - durationMs
}

/**
 * Measures the requests that the hub must make for every change: two at once to the shop, then one
 * write to the marketplace. It keeps its connections, as the hub does.
 */
async function measureParts ({ shop, market, keys }: StockLine, sold: readonly SoldVariant[]): Promise<Percentiles> {
  const agent = new Agent()
  const authorization = `Basic ${Buffer.from(`${keys.shop}:`).toString('base64')}`
  const read = (resource: string, productId: number) =>
    call(`${shop.apiUrl}/${resource}?filter[id_product]=[${productId}]&display=full&output_format=JSON`, {
      method: 'GET',
      headers: { authorization }
    })

  async function call (
    address: string,
    options: { method: 'GET' | 'PATCH', headers: Record<string, string>, body?: string }
  ): Promise<void> {
    const response = await request(address, { ...options, dispatcher: agent })
    await response.body.dump()
    if (response.statusCode >= 300) throw new Error(`${options.method} ${address} was answered ${response.statusCode}`)
  }

  const times: number[] = []
  for (const { productId, offer } of sold) {
    const startedAt = performance.now()
    await Promise.all([read('stock_availables', productId), read('combinations', productId)])
    await call(`${market.baseUrl}/products/${offer}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${keys.market}`, 'content-type': 'application/json' },
      body: '{"stock":1}'
    })
    times.push(performance.now() - startedAt)
    await wait(pauseMs)
  }
  await agent.close()
  return percentilesOf(times)
}
