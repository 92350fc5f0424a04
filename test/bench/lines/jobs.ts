import type { Mode } from '../../support/modes.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { measureEvents, warmUp, type EventFigure } from '../tools/measure-events.ts'
import { openOneJobHub } from '../tools/one-job-hub.ts'
import { serverColumnsOf } from '../tools/server-meter.ts'
import { noop } from '../tools/small-jobs.ts'

const connections = 50

/**
 * Measures the way of an event from the accepted webhook to the end of its job, which does nothing:
 * in one process, and with a process that accepts beside one that runs the jobs.
 */
export const jobs = defineBench({
  name: 'jobs',
  options: { events: 50_000 },
  async run ({ modes, environment, runs, options: { events } }) {
    for (const mode of modes) {
      const report = openReport({
        name: `jobs-${mode}`,
        title: `Webhook to finished job, ${mode}`,
        method: `${events} signed webhooks of ${connections} connections, each of another object; ` +
          'each starts a job that does nothing; CPU is that of the hub, and of the whole servers beside it',
        runs,
        columns: {
          finished: { heading: 'finished/s' },
          accepted: { heading: 'accepted/s' },
          cpu: { heading: 'CPU µs/event' },
          ...serverColumnsOf(mode)
        },
        main: 'finished'
      })
      const whole = report.hub('one process', await repeat(runs, () => measure(mode, environment, events, ['all'])))
      if (mode !== 'embedded') {
        const split = await repeat(runs, () => measure(mode, environment, events, ['http', 'worker']))
        report.hub('a process that accepts, a process that works', split, whole)
      }
      await report.keep()
    }
  }
})

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  events: number,
  roles: readonly string[]
): Promise<Figures<EventFigure>> {
  const hub = await openOneJobHub(mode, environment, noop, { roles })
  try {
    const connectionIds = await hub.connect(connections)
    await warmUp(hub, connectionIds)
    return await measureEvents(hub, connectionIds, events)
  } finally {
    await hub.close()
  }
}
