import type { Mode } from '../../support/modes.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { measureEvents, warmUp } from '../tools/measure-events.ts'
import { openOneJobHub } from '../tools/one-job-hub.ts'
import { noop } from '../tools/small-jobs.ts'

type Name = 'finished' | 'accepted' | 'cpu' | 'least'

const connections = 50

/**
 * Measures one, two and four processes that run jobs, on one PostgreSQL and, in full mode, one
 * Redis. Processes beyond the machine's cores show what they cost, not what they bring.
 */
export const scale = defineBench({
  name: 'scale',
  options: { 'scale-events': 20_000 },
  async run ({ modes, environment, runs, options: { 'scale-events': events } }) {
    for (const mode of modes.filter(mode => mode !== 'embedded')) {
      const report = openReport<Name>({
        name: `scale-${mode}`,
        title: `Processes that run jobs, ${mode}`,
        method: `${events} events of ${connections} connections; one process accepts, which bounds what others ` +
          'finish; "least": the share of the jobs that the least busy process ran, in percent of an equal one',
        runs,
        columns: {
          finished: { heading: 'finished/s' },
          accepted: { heading: 'accepted/s' },
          cpu: { heading: 'CPU µs/event' },
          least: { heading: 'least %' }
        },
        main: 'finished'
      })
      let one: string | undefined
      for (const workers of [1, 2, 4]) {
        const figures = await repeat(runs, () => measure(mode, environment, workers, events))
        const title = report.hub(`${workers} ${workers === 1 ? 'process' : 'processes'}`, figures, one)
        one ??= title
      }
      await report.keep()
    }
  }
})

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  workers: number,
  events: number
): Promise<Figures<Name>> {
  const roles = ['http', ...Array.from({ length: workers }, () => 'worker')]
  const hub = await openOneJobHub(mode, environment, noop, { roles })
  try {
    const connectionIds = await hub.connect(connections)
    await warmUp(hub, connectionIds)
    const before = await hub.countSucceeded()
    const figures = await measureEvents(hub, connectionIds, events)
    const ran = (await hub.countSucceeded()).map((count, index) => count - (before[index] ?? 0)).slice(1)
    return { ...figures, least: 100 * workers * Math.min(...ran) / events }
  } finally {
    await hub.close()
  }
}
