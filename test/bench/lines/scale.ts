import type { Mode } from '../../support/modes.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { cpuMicroseconds } from '../tools/measured-process.ts'
import { openOneJobHub } from '../tools/one-job-hub.ts'
import { noop } from '../tools/small-jobs.ts'

type Name = 'finished' | 'accepted' | 'cpu' | 'least'

const connections = 50
const warmUpEvents = 2_000

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
        method:
          `${events} events of ${connections} connections; one process accepts, others work; "least": the share ` +
          'of the jobs that the least busy process ran, in percent of an equal one; "double": jobs that ran twice',
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
  const hub = await openOneJobHub(mode, environment, noop, roles)
  const cpu = (): number => hub.pids.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0)
  try {
    const connectionIds = await hub.connect(connections)
    await hub.send(hub.prepare(connectionIds, warmUpEvents))
    await hub.waitForSucceeded(warmUpEvents)
    const before = await hub.countSucceeded()
    const [cpuBefore, startedAt] = [cpu(), performance.now()]
    const accepted = await hub.send(hub.prepare(connectionIds, events))
    await hub.waitForSucceeded(warmUpEvents + events)
    const seconds = (performance.now() - startedAt) / 1_000
    const used = cpu() - cpuBefore
    const ran = (await hub.countSucceeded()).map((count, index) => count - (before[index] ?? 0)).slice(1)
    return {
      finished: events / seconds,
      accepted,
      cpu: used / events,
      least: 100 * workers * Math.min(...ran) / events
    }
  } finally {
    await hub.close()
  }
}
