import { randomBytes } from 'node:crypto'
import { createApi } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'
import { describeMachine } from './figures.ts'
import { connectAll, sendAll, waitForEnded } from './job-load.ts'
import { cpuMicroseconds } from './measured-process.ts'
import { prepareRequests } from './requests.ts'

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
const bodyBytes = 500
const warmUpEvents = 2_000

/**
 * The only job of the adapter does nothing, so the benchmark measures the hub's own work for a job.
 */
const noop: ForeignPackage = {
  manifest: {
    name: '@bench/noop',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'noop.api.v1',
      platformType: 'noop',
      displayName: 'No-op',
      capabilities: ['InventoryMaster'],
      permissions: { jobs: ['noop.*'] }
    },
    peerDependencies: { '@linker/sdk': '^0.1.0' }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'object' },
      connect: () => ({}),
      capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) },
      webhooks: { scheme: 'hmac' },
      jobs: { 'noop.inventory.syncByExternalId': { payload: { type: 'object' }, run: async () => ({}) } }
    })`
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
  const state = await openMode(mode, environment)
  const project = await makeProject({ adapters: [noop.manifest.name] }, [noop])
  const [secret, token] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const hub = await startHubProcess(project.directory, {
    ...state.variables,
    ADMIN_TOKEN: token,
    LINKER_WEBHOOK_SECRET__NOOP: secret,
    LOG_LEVEL: 'warn'
  })
  try {
    const api = createApi(hub.url, token)
    const connectionIds = await connectAll(api, { count: connections, platformType: 'noop' })
    const prepare = (count: number): Buffer[] =>
      prepareRequests({
        host: new URL(hub.url).host,
        connectionIds,
        secret,
        count,
        bodyBytes,
        eventType: 'stock.changed',
        provider: 'noop'
      })
    await sendAll(hub.url, prepare(warmUpEvents))
    await waitForEnded(api, warmUpEvents)
    const requests = prepare(events)
    const [cpuBefore, startedAt] = [cpuMicroseconds(hub.pid), performance.now()]
    const acceptedPerSecond = await sendAll(hub.url, requests)
    await waitForEnded(api, warmUpEvents + events)
    return {
      acceptedPerSecond,
      finishedPerSecond: 1_000 * events / (performance.now() - startedAt),
      cpuMicroseconds: (cpuMicroseconds(hub.pid) - cpuBefore) / events
    }
  } finally {
    await hub.stop()
    await project.remove()
    await state.close()
  }
}
