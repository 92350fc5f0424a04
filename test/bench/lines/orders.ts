import { setTimeout as wait } from 'node:timers/promises'
import type { HubProcess } from '../../support/hub-process.ts'
import { openOrderLine } from '../../support/order-line.ts'
import { catalogOf, openStockLine, type SoldVariant, type StockLine } from '../../support/stock-line.ts'
import { defineBench } from '../bench.ts'
import { percentilesOf, repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { cpuMicroseconds } from '../tools/measured-process.ts'

const latencyMs = 20
const singles = 40
const pauseMs = 100
const variants = 40

/**
 * Measures the time from an order at the marketplace to the order in the shop, one at a time and
 * many at once. Both platforms take 20 ms for every request.
 */
export const orders = defineBench({
  name: 'orders',
  options: { orders: 300 },
  async run ({ modes, environment, runs, options }) {
    for (const mode of modes) {
      const report = openReport({
        name: `orders-${mode}`,
        title: `Orders of the marketplace in the shop, ${mode}`,
        method: `${singles} orders one after the other, ${pauseMs} ms between them, then ${options.orders} at once; ` +
          `both platforms take ${latencyMs} ms for every request`,
        runs,
        columns: {
          orders: { heading: 'orders/s', digits: 1 },
          p50: { heading: 'single p50 ms' },
          p99: { heading: 'single p99 ms' },
          cpu: { heading: 'CPU ms/order', digits: 1 }
        },
        main: 'orders'
      })
      const line = await openStockLine({ mode, environment, products: catalogOf(variants), seed: 1 })
      const hub = await line.startHub()
      try {
        const sold = await openOrderLine(line)
        line.shop.setLatency({ minMs: latencyMs, maxMs: latencyMs })
        line.market.setLatency({ minMs: latencyMs, maxMs: latencyMs })
        await placeSingly(line, sold, 5)
        report.hub('hub', await repeat(runs, () => measure(line, hub, sold, options.orders)))
      } finally {
        await hub.stop()
        await line.close()
      }
      await report.keep()
    }
  }
})

async function measure (
  line: StockLine,
  { pid }: HubProcess,
  sold: readonly SoldVariant[],
  count: number
): Promise<Figures<'orders' | 'p50' | 'p99' | 'cpu'>> {
  const { p50, p99 } = percentilesOf(await placeSingly(line, sold, singles))
  const [before, startedAt] = [cpuMicroseconds(pid), performance.now()]
  await placeAll(line, sold, count)
  const seconds = (performance.now() - startedAt) / 1_000
  return { orders: count / seconds, p50, p99, cpu: (cpuMicroseconds(pid) - before) / 1_000 / count }
}

async function placeSingly (line: StockLine, sold: readonly SoldVariant[], count: number): Promise<number[]> {
  const times: number[] = []
  for (let number = 0; number < count; number += 1) {
    const [known, startedAt] = [line.shop.orders().length, performance.now()]
    place(line, sold, number)
    await inShop(line, known + 1)
    times.push(performance.now() - startedAt)
    await wait(pauseMs)
  }
  return times
}

async function placeAll (line: StockLine, sold: readonly SoldVariant[], count: number): Promise<void> {
  const known = line.shop.orders().length
  for (let number = 0; number < count; number += 1) place(line, sold, number)
  await inShop(line, known + count)
}

function place ({ market }: StockLine, sold: readonly SoldVariant[], number: number): void {
  market.placeOrder({ lines: [{ externalId: sold[number % sold.length]?.offer ?? '', quantity: 1, unitPrice: 4_999 }] })
}

async function inShop ({ shop }: StockLine, count: number): Promise<void> {
  while (shop.orders().length < count) await wait(10)
}
