import type { Mode } from '../support/modes.ts'
import { describeMachine } from './figures.ts'
import { cpuMicroseconds } from './measured-process.ts'
import { openOneJobHub, type OneJobAdapter } from './one-job-hub.ts'

export interface JobsOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  events: number
  runs: number
}

interface Figures {
  acceptedPerSecond: number
  finishedPerSecond: number
  cpuMicroseconds: number
}

const connections = 50
const warmUpEvents = 2_000

/** Its job does nothing, so the benchmark measures the hub's own work for a job. */
const noop: OneJobAdapter = {
  platformType: 'noop',
  config: { type: 'object' },
  connect: '() => ({})',
  run: 'async () => ({})'
}

/**
 * Measures the way of an event from the accepted webhook to the end of its job, which does nothing.
 * One process accepts and runs.
 */
export async function benchJobs ({ modes, environment, events, runs }: JobsOptions): Promise<void> {
  console.log(`jobs: ${events} signed webhooks of ${connections} connections, each of another object; ` +
    `each starts a job that does nothing; one hub process, medians of ${runs} runs`)
  console.log(describeMachine('client, hub, Redis and PostgreSQL'))
  showRow('', ['accepted/s', 'finished/s', 'CPU µs/event'])
  for (const mode of modes) {
    const figures: Figures[] = []
    for (let run = 0; run < runs; run += 1) figures.push(await measure(mode, environment, events))
    const median = (pick: (figure: Figures) => number): string =>
      (figures.map(pick).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN).toFixed(0)
    showRow(`hub ${mode}: webhook accepted to job ended`, [
      median(figure => figure.acceptedPerSecond),
      median(figure => figure.finishedPerSecond),
      median(figure => figure.cpuMicroseconds)
    ])
  }
}

const columnWidth = 14

function showRow (what: string, cells: readonly string[]): void {
  console.log(what.padEnd(46) + cells.map(cell => cell.padStart(columnWidth)).join(''))
}

async function measure (mode: Mode, environment: NodeJS.ProcessEnv, events: number): Promise<Figures> {
  const hub = await openOneJobHub(mode, environment, noop)
  try {
    const connectionIds = await hub.connect(connections)
    await hub.send(hub.prepare(connectionIds, warmUpEvents))
    await hub.waitForSucceeded(warmUpEvents)
    const requests = hub.prepare(connectionIds, events)
    const [cpuBefore, startedAt] = [cpuMicroseconds(hub.pid), performance.now()]
    const acceptedPerSecond = await hub.send(requests)
    await hub.waitForSucceeded(warmUpEvents + events)
    return {
      acceptedPerSecond,
      finishedPerSecond: 1_000 * events / (performance.now() - startedAt),
      cpuMicroseconds: (cpuMicroseconds(hub.pid) - cpuBefore) / events
    }
  } finally {
    await hub.close()
  }
}
