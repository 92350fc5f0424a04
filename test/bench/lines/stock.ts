import { defineBench } from '../bench.ts'
import { repeat, type Figures, type Spreads } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { atOnce, latencyMs, markets, offersEach, products, shops, withSales } from '../tools/sales.ts'

/**
 * Measures the whole way of a change: webhook, reading in the shop, a write to each of two offers.
 * All products of all shops change at once. Both platforms take 20 ms for every request.
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
      await withSales({ mode, environment }, async sales => {
        const limit = report.limit(
          `the simulators, ${atOnce} changes at a time`,
          await afterWarmUp(runs, sales.askDirectly)
        )
        report.hub('hub', await afterWarmUp(runs, sales.change), limit)
      })
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
