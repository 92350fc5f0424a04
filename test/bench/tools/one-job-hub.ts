import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi, type ApiClient } from '../../support/api.ts'
import { startHubProcess, type HubProcess } from '../../support/hub-process.ts'
import { openMode, type Mode } from '../../support/modes.ts'
import { makeProject, type ForeignPackage } from '../../support/project.ts'
import { sendLoad } from './load.ts'
import { prepareRequests } from './requests.ts'
import { openServerMeter, type ServerFigures, type ServerMeter } from './server-meter.ts'
import { withDatabase, type Place, type Query } from './with-database.ts'

/** Each event `stock.changed` starts the only job of this adapter. Its functions are source. */
export interface OneJobAdapter {
  platformType: string
  /** The adapter may send requests to these origins. */
  http?: readonly string[]
  /** Contains the JSON schema of the config. */
  config: object
  connect: string
  run: string
}

/** The hub runs such an adapter in one process, or in several on the same state. */
export interface OneJobHub {
  /** The first process listens at this address. */
  url: string
  place: Place
  pids: readonly number[]
  /** Calls the API of the first process. */
  api: ApiClient
  /** Makes connections and returns their ids. */
  connect(count: number, config?: object): Promise<string[]>
  /**
   * Makes signed webhooks, spread over the connections, each about another object. Only events of
   * the default type start a job.
   */
  prepare(connectionIds: readonly string[], count: number, eventType?: string): Buffer[]
  /** Sends webhooks, and returns how many the hub accepted in a second. It must accept all. */
  send(requests: readonly Buffer[]): Promise<number>
  /** Waits until so many jobs have succeeded since the start of the hub. */
  waitForSucceeded(count: number): Promise<void>
  /** Waits until the ledger has so many live jobs: queued, waiting or running ones. */
  waitForLive(count: number): Promise<void>
  /** Waits until the ledger has had no live job for twelve seconds. */
  waitUntilIdle(): Promise<void>
  /** Returns how many jobs have succeeded in each process since its start. */
  countSucceeded(): Promise<number[]>
  /** Returns what PostgreSQL and Redis have used so far. */
  readServers(): Promise<ServerFigures>
  close(): Promise<void>
}

const bodyBytes = 500
const sockets = 50
const connectAtOnce = 10
const lookEveryMs = 100
const longestSeconds = 600
// The hub reads the figures anew every five seconds. Events that wait in a stream become jobs
// meanwhile.
const quietLooks = 120

export interface OneJobHubOptions {
  /** Each role gets a process. Webhooks and calls of the API go to the first one. */
  roles?: readonly string[]
  /** Writes rows into the database before the hub starts. */
  fill?: ((query: Query) => Promise<void>) | undefined
  /** Adds these variables to the environment. */
  variables?: Readonly<Record<string, string>>
  /** Webhooks are signed with the time of this clock. The clock of the hub must agree. */
  now?: () => number
}

export async function openOneJobHub (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  adapter: OneJobAdapter,
  { roles = ['all'], fill, variables = {}, now = Date.now }: OneJobHubOptions = {}
): Promise<OneJobHub> {
  const { platformType } = adapter
  const jobType = jobTypeOf(platformType)
  const [secret, token] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const { place, servers, processes, close } = await openProcesses({
    mode,
    environment,
    adapter,
    roles,
    variables: {
      ...variables,
      ADMIN_TOKEN: token,
      [`LINKER_WEBHOOK_SECRET__${platformType.toUpperCase()}`]: secret
    },
    fill
  })
  let prepared = 0
  const { url } = processes[0] ?? raiseNoRole()
  const apis = processes.map(process => createApi(process.url, token))
  const [api = raiseNoRole()] = apis

  async function connectOne (number: number, config: object): Promise<string> {
    const created = await api('POST', '/connections', {
      body: { name: `${platformType} ${number}`, platformType, config, credentials: {} }
    })
    if (created.status !== 201) throw new Error(`a connection was not created: ${created.status} ${created.text}`)
    return (created.json as { id: string }).id
  }

  /** Each process counts the jobs that it ran. Schedules start jobs of other types. */
  async function countSucceeded (): Promise<number[]> {
    return Promise.all(apis.map(async api => {
      const { text } = await api('GET', '/metrics')
      const lines = text.split('\n')
        .filter(line =>
          line.startsWith('linker_jobs_ended_total{') && line.includes('outcome="succeeded"') &&
          line.includes(`"${jobType}"`)
        )
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    }))
  }

  async function countAllSucceeded (): Promise<number> {
    return (await countSucceeded()).reduce((sum, one) => sum + one, 0)
  }

  async function countLive (): Promise<number> {
    const { text } = await api('GET', '/metrics')
    const lines = text.split('\n').filter(line => line.startsWith('linker_queue_jobs{'))
    // The hub shows none while its database does not answer.
    if (lines.length === 0) return Number.NaN
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  }

  return {
    url,
    place,
    api,
    pids: processes.map(({ pid }) => pid),
    countSucceeded,
    readServers: servers.read,
    async connect (count, config = {}) {
      const ids: string[] = []
      while (ids.length < count) {
        const next = Array.from(
          { length: Math.min(connectAtOnce, count - ids.length) },
          (_, index) => ids.length + index
        )
        ids.push(...await Promise.all(next.map(number => connectOne(number, config))))
      }
      return ids
    },
    prepare (connectionIds, count, eventType = 'stock.changed') {
      const first = prepared
      prepared += count
      return prepareRequests({
        host: new URL(url).host,
        connectionIds,
        secret,
        count,
        bodyBytes,
        eventType,
        provider: platformType,
        nowMs: now(),
        // A waiting job would stand for another one of the same object.
        externalIdOf: index => String(first + index)
      })
    },
    async send (requests) {
      const load = { url, requests, sockets, pipelining: 1, seconds: longestSeconds }
      const { accepted, seconds } = await sendLoad(load)
      if (accepted !== requests.length) throw new Error(`only ${accepted} of ${requests.length} events were accepted`)
      return accepted / seconds
    },
    waitForSucceeded: count => waitUntil('the jobs have succeeded', async () => await countAllSucceeded() >= count),
    waitForLive: count => waitUntil('the events have become jobs', async () => await countLive() >= count),
    async waitUntilIdle () {
      let quiet = 0
      await waitUntil('the hub is idle', async () => {
        quiet = await countLive() === 0 ? quiet + 1 : 0
        return quiet >= quietLooks
      })
    },
    close
  }
}

async function waitUntil (state: string, isReached: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  while (!await isReached()) {
    if (performance.now() - startedAt > longestSeconds * 1_000) {
      throw new Error(`after ${longestSeconds} s it is still not so that ${state}`)
    }
    await wait(lookEveryMs)
  }
}

interface ProcessesOptions {
  mode: Mode
  environment: NodeJS.ProcessEnv
  adapter: OneJobAdapter
  roles: readonly string[]
  /** Adds these variables to those of the state. */
  variables: Readonly<Record<string, string>>
  fill: OneJobHubOptions['fill']
}

/** Starts a process for each role, or none: if one does not start, closes everything else. */
async function openProcesses ({ mode, environment, adapter, roles, variables, fill }: ProcessesOptions): Promise<
  { place: Place, servers: ServerMeter, processes: readonly HubProcess[], close(): Promise<void> }
> {
  const opened: (() => Promise<unknown>)[] = []
  async function close (): Promise<void> {
    for (const undo of opened.toReversed()) await undo()
  }
  try {
    const state = await openMode(mode, environment)
    opened.push(state.close)
    const packaged = packageOf(adapter)
    const project = await makeProject(
      { adapters: [packaged.manifest.name], outbound: { allow: ['127.0.0.0/8'] } },
      [packaged]
    )
    opened.push(project.remove)
    const place: Place = { directory: project.directory, state }
    if (fill !== undefined) await withDatabase(place, fill)
    const servers = await openServerMeter(state.variables)
    opened.push(() => servers.close())
    const processes: HubProcess[] = []
    for (const role of roles) {
      const process = await startHubProcess(project.directory, {
        ...state.variables,
        ...variables,
        LINKER_ROLE: role,
        LOG_LEVEL: 'fatal'
      })
      opened.push(() => process.stop())
      processes.push(process)
    }
    return { place, servers, processes, close }
  } catch (error) {
    await close()
    throw error
  }
}

function raiseNoRole (): never {
  throw new Error('a hub needs a role')
}

const jobTypeOf = (platformType: string): string => `${platformType}.inventory.syncByExternalId`

function packageOf ({ platformType, http = [], config, connect, run }: OneJobAdapter): ForeignPackage {
  return {
    manifest: {
      name: `@bench/${platformType}`,
      version: '1.0.0',
      engines: { linker: '^0.1.0' },
      linker: {
        adapterKey: `${platformType}.api.v1`,
        platformType,
        displayName: platformType,
        capabilities: ['InventoryMaster'],
        permissions: { jobs: [`${platformType}.*`], http }
      },
      peerDependencies: { '@linker/sdk': '^0.1.0' }
    },
    source: `
      import { defineAdapter } from '@linker/sdk'
      export default defineAdapter({
        config: ${JSON.stringify(config)},
        credentials: { type: 'object' },
        connect: ${connect},
        account: async () => undefined,
        capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) },
        webhooks: { scheme: 'hmac' },
        jobs: { '${jobTypeOf(platformType)}': { payload: { type: 'object' }, run: ${run} } }
      })`
  }
}
