import { defineBench } from '../bench.ts'
import { repeat, type Figures, type Spreads } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { latencyMs, markets, offersEach, products, shops, withSales } from '../tools/sales.ts'

/** Jobs at the same time: half of the default, the default, and twice as many. */
const slotCounts = [50, 100, 200]

/**
 * Measures the whole way of a change: webhook, reading in the shop, a write to each of two offers.
 * All products of all shops change at once. Both platforms take 20 ms for every request. A change
 * makes two requests at once, so the limit has as many requests under way as the hub has jobs. A
 * second process, with the role worker, shares the jobs where the state allows it.
 */
export const stock = defineBench({
  name: 'stock',
  async run ({ modes, environment, runs }) {
    for (const mode of modes) {
      const report = openReport({
        name: `stock-${mode}`,
        title: `Webhook to two written offers, ${mode}`,
        method: `bursts of ${shops * products} changes, each read in the shop and written to ${offersEach} offers; ` +
          `${shops + markets} connections; both platforms take ${latencyMs} ms`,
        runs,
        columns: {
          writes: { heading: 'writes/s' },
          burst: { heading: 'burst ms' },
          cpu: { heading: 'CPU ms/write', digits: 2 }
        },
        main: 'writes'
      })
      for (const slots of slotCounts) {
        const limit = await withSales({ mode, environment, slots }, async sales => {
          const limit = report.limit(
            `the simulators, ${slots} requests at a time`,
            await afterWarmUp(runs, () => sales.askDirectly(slots / 2))
          )
          report.hub(`hub, ${slots} jobs at a time`, await afterWarmUp(runs, sales.change), limit)
          return limit
        })
        if (mode === 'embedded') continue
        await withSales({ mode, environment, slots: slots / 2, workers: 1 }, async sales => {
          report.hub(`hub and a worker, ${slots / 2} jobs each`, await afterWarmUp(runs, sales.change), limit)
        })
      }
      await report.keep()
    }
  }
})

/** The first burst does not count. */
async function afterWarmUp<Measured extends string> (
  runs: number,
  measure: () => Promise<Figures<Measured>>
): Promise<Spreads<Measured>> {
  await measure()
  return repeat(runs, measure)
}
