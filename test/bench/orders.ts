import { setTimeout as wait } from 'node:timers/promises'
import type { Mode } from '../support/modes.ts'
import { openOrderLine } from '../support/order-line.ts'
import { catalogOf, openStockLine, type SoldVariant, type StockLine } from '../support/stock-line.ts'
import { describeMachine, percentilesOf } from './figures.ts'
import { cpuMicroseconds } from './measured-process.ts'

export interface OrderBenchOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  orders: number
}

const latencyMs = 20
const singles = 40
const pauseMs = 100
const variants = 40

/**
 * Measures the time from an order at the marketplace to the order in the shop, one at a time and
 * many at once. Both platforms take 20 ms for every request.
 */
export async function benchOrders ({ modes, environment, orders }: OrderBenchOptions): Promise<void> {
  console.log(`orders: ${singles} one after the other, ${pauseMs} ms between them, then ${orders} at once; ` +
    `both platforms take ${latencyMs} ms for every request`)
  console.log(describeMachine())
  showRow('', ['p50 ms', 'p99 ms', 'orders/s', 'CPU ms/order'])
  for (const mode of modes) {
    const line = await openStockLine({ mode, environment, products: catalogOf(variants), seed: 1 })
    const hub = await line.startHub()
    try {
      const sold = await openOrderLine(line)
      line.shop.setLatency({ minMs: latencyMs, maxMs: latencyMs })
      line.market.setLatency({ minMs: latencyMs, maxMs: latencyMs })
      await placeSingly(line, sold, 5)
      const { p50, p99 } = percentilesOf(await placeSingly(line, sold, singles))
      const [before, startedAt] = [cpuMicroseconds(hub.pid), performance.now()]
      await placeAll(line, sold, orders)
      const seconds = (performance.now() - startedAt) / 1_000
      const cpuMs = (cpuMicroseconds(hub.pid) - before) / 1_000 / orders
      const perSecond = orders / seconds
      showRow(`hub ${mode}`, [p50.toFixed(0), p99.toFixed(0), perSecond.toFixed(1), cpuMs.toFixed(1)])
    } finally {
      await hub.stop()
      await line.close()
    }
  }
}

const widths = [9, 9, 10, 14]

function showRow (what: string, cells: readonly string[]): void {
  console.log(what.padEnd(16) + cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(''))
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
