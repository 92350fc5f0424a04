import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'
import { describeMachine } from './figures.ts'
import { sendLoad } from './load.ts'
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
const lookEveryMs = 100
const longestSeconds = 600

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
    const connectionIds = await connectAll(api)
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
    await runAll(hub, api, prepare(warmUpEvents), warmUpEvents)
    const cpuBefore = cpuMicroseconds(hub.pid)
    const { acceptedPerSecond, seconds } = await runAll(hub, api, prepare(events), warmUpEvents + events)
    return {
      acceptedPerSecond,
      finishedPerSecond: events / seconds,
      cpuMicroseconds: (cpuMicroseconds(hub.pid) - cpuBefore) / events
    }
  } finally {
    await hub.stop()
    await project.remove()
    await state.close()
  }
}

async function connectAll (api: ApiClient): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < connections; number += 1) {
    const created = await api('POST', '/connections', {
      body: { name: `No-op ${number}`, platformType: 'noop', credentials: {} }
    })
    if (created.status !== 201) throw new Error(`a connection was not created: ${created.status} ${created.text}`)
    ids.push((created.json as { id: string }).id)
  }
  return ids
}

/** Sends the requests and waits until the hub has ended so many jobs since its start. */
async function runAll (
  hub: HubProcess,
  api: ApiClient,
  requests: readonly Buffer[],
  endedInAll: number
): Promise<{ acceptedPerSecond: number, seconds: number }> {
  const startedAt = performance.now()
  const load = await sendLoad({ url: hub.url, requests, sockets: 50, pipelining: 1, seconds: longestSeconds })
  if (load.accepted !== requests.length) {
    throw new Error(`only ${load.accepted} of ${requests.length} events were accepted`)
  }
  while (await endedJobs(api) < endedInAll) {
    if (performance.now() - startedAt > longestSeconds * 1_000) throw new Error('the jobs did not end')
    await wait(lookEveryMs)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  return { acceptedPerSecond: load.accepted / load.seconds, seconds }
}

async function endedJobs (api: ApiClient): Promise<number> {
  const { text } = await api('GET', '/metrics')
  const counts = text.split('\n').filter(line => line.startsWith('linker_jobs_ended_total{'))
  return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
