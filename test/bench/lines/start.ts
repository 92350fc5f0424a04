import { defineBench } from '../bench.ts'
import { spreadsOf, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import type { Cost } from '../tools/processes.ts'
import { settleMs, withSubjects } from '../tools/start-subjects.ts'

type Used = Partial<Figures<'cpu' | 'clock' | 'resident' | 'peak'>>

/**
 * Measures what a hub of packed packages with three adapters uses until it is ready, beside bare
 * processes of the same run, and what a command uses. The first start of each fills the compile
 * cache and does not count. It measures the built packages: `npm run types` builds them.
 */
export const start = defineBench({
  name: 'start',
  run: ({ modes, environment, runs }) =>
    withSubjects({ modes, environment }, async subjects => {
      const report = openReport({
        name: 'start',
        title: 'Start, and a command',
        method: 'packed packages, three adapters, until /readyz is green; all in turn. ' +
          `The memory is that of ${settleMs / 1_000} s later`,
        runs,
        columns: {
          cpu: { heading: 'CPU ms' },
          clock: { heading: 'clock ms' },
          resident: { heading: 'resident MiB' },
          peak: { heading: 'peak MiB' }
        },
        main: 'cpu'
      })
      const costs = new Map(subjects.map(({ title }) => [title, [] as Used[]]))
      for (let run = 0; run <= runs; run += 1) {
        for (const { title, measure } of subjects) {
          const cost = await measure()
          if (run > 0) costs.get(title)?.push(usedBy(cost))
        }
      }
      for (const { title, limit } of subjects) {
        const figures = spreadsOf((costs.get(title) ?? []) as Figures<'cpu'>[])
        if (limit === undefined) report.limit(title, figures)
        else report.hub(title, figures, limit)
      }
      await report.keep()
    })
})

function usedBy ({ cpuMs, clockMs, residentMiB, peakMiB }: Cost): Used {
  return {
    cpu: cpuMs,
    clock: clockMs,
    ...(residentMiB === undefined ? {} : { resident: residentMiB }),
    ...(peakMiB === undefined ? {} : { peak: peakMiB })
  }
}
