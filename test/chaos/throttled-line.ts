import type { RequestBudget } from '@linker/sdk'
import { randomBytes } from 'node:crypto'
import { createApi, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'
import { withStoredState } from './stored-state.ts'
import { startThrottledMarket, type ThrottledMarket } from './throttled-market.ts'

export const versions = ['1.0.0', '1.1.0'] as const
/** A connection that is moved to it runs on the newest version that a process has. */
export const anyVersion = '^1.0.0'

/** Job types of the adapter by the number of requests that a job sends one after the other. */
export const jobTypes = { 1: 'kiosk.note.send', 3: 'kiosk.note.sendThree' } as const

/** How the adapter sends its requests. */
export interface Sending {
  /** What the marketplace allows. The adapter declares it. */
  budget: RequestBudget
  timeoutMs: number
}

/** A marketplace with a budget, and the processes of a hub that send to it. */
export interface ThrottledLine {
  market: ThrottledMarket
  call: ApiClient
  /** Makes a connection on the first adapter version. */
  connect(account: string): Promise<string>
  /** The lines of the logs of all processes. */
  log(): string[]
  /** Kills the hub and returns the jobs of a connection. */
  end(connectionId: string): Promise<{ jobs: StoredJob[], hasBreaker: boolean }>
  close(): Promise<void>
}

export interface StoredJob {
  name: string
  outcome: string | null
  /** Attempts that the job has used up. */
  failures: number
  problem: unknown
}

/**
 * Starts a marketplace and a hub. Where processes can share the state, one serves HTTP and two are
 * workers, of which the second has one more adapter version: as during an update, a connection that
 * accepts both versions then runs on both at once.
 */
export async function openThrottledLine (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  sending: Sending
): Promise<ThrottledLine> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const closeOne of closers.toReversed()) await closeOne()
  }
  try {
    const state = await openMode(mode, environment)
    closers.push(state.close)
    const market = await startThrottledMarket()
    closers.push(market.close)
    const token = randomBytes(32).toString('hex')
    const hubs: HubProcess[] = []
    const directories: string[] = []

    async function start (role: 'all' | 'http' | 'worker', installed: readonly string[]): Promise<HubProcess> {
      const packages = installed.map(version => kiosk(market.origin, version, sending))
      const project = await makeProject({
        adapters: packages.map(({ manifest }) => manifest.name),
        outbound: { allow: ['127.0.0.1/32'] }
      }, packages)
      closers.push(project.remove)
      // The end of a breaker is logged as information.
      const variables = { ...state.variables, ADMIN_TOKEN: token, LINKER_ROLE: role, LOG_LEVEL: 'info' }
      const hub = await startHubProcess(project.directory, variables)
      closers.push(hub.kill)
      hubs.push(hub)
      directories.push(project.directory)
      return hub
    }

    const first = await start(mode === 'embedded' ? 'all' : 'http', versions)
    if (mode !== 'embedded') await Promise.all([start('worker', versions.slice(0, 1)), start('worker', versions)])
    const call = createApi(first.url, token)
    return {
      market,
      call,
      async connect (account) {
        const [adapterVersion] = versions
        const created = await call('POST', '/connections', {
          body: { name: account, platformType: 'kiosk', adapterVersion, config: { account } }
        })
        if (created.status !== 201) throw new Error(created.text)
        return (created.json as { id: string }).id
      },
      log: () => hubs.flatMap(({ log }) => log),
      async end (connectionId) {
        await Promise.all(hubs.map(hub => hub.kill()))
        const [directory = ''] = directories
        return withStoredState({ variables: state.variables, directory }, async ({ query }) => {
          const broken = await query(selectBreaker, [connectionId])
          return { jobs: await query<StoredJob>(selectJobs, [connectionId]), hasBreaker: broken.length > 0 }
        })
      },
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts a job about an object of this name. */
export async function postJob (
  call: ApiClient,
  { connectionId, jobType, name }: { connectionId: string, jobType: string, name: string }
): Promise<void> {
  const { status, text } = await call('POST', '/jobs', {
    body: { connectionId, jobType, payload: { externalId: name } }
  })
  if (status !== 202) throw new Error(`a job was not started: ${status} ${text}`)
}

const selectJobs = `
  select payload->>'externalId' as name, outcome, failures, problem
  from jobs
  where connection_id = $1 and coalesced_into is null`

const selectBreaker = `
  select
  from upstream_states
  where connection_id = $1 and state->'breaker' is not null`

/** An adapter that sends GET requests, and tells the marketplace its version. */
function kiosk (origin: string, version: string, { budget, timeoutMs }: Sending): ForeignPackage {
  const jobOf = (requests: number): string =>
    `{
    payload: { type: 'object', required: ['externalId'], properties: { externalId: { type: 'string' } } },
    run: async (client, { payload }) => send(client, payload.externalId, ${requests})
  }`
  return {
    manifest: {
      name: `@acme/adapter-kiosk-v1-${version}`,
      version,
      engines: { linker: '^0.1.0' },
      linker: {
        adapterKey: 'kiosk.api.v1',
        platformType: 'kiosk',
        displayName: 'Kiosk',
        capabilities: [],
        permissions: { jobs: ['kiosk.*'], http: [origin] }
      }
    },
    source: `
      import { defineAdapter } from '@linker/sdk'

      async function send ({ http, account }, name, requests) {
        for (let request = 1; request <= requests; request += 1) {
          await http.request({ method: 'GET', path: account + '/' + name + '/' + request })
        }
        return { result: requests }
      }

      export default defineAdapter({
        config: { type: 'object', required: ['account'], properties: { account: { type: 'string' } } },
        credentials: { type: 'null' },
        budget: ${JSON.stringify(budget)},
        connect: ({ config, http }) => ({
          account: config.account,
          http: http({ baseUrl: '${origin}', headers: { 'x-served-by': '${version}' }, timeoutMs: ${timeoutMs} })
        }),
        account: async client => ({ id: client.account, name: client.account }),
        capabilities: {},
        jobs: { '${jobTypes[1]}': ${jobOf(1)}, '${jobTypes[3]}': ${jobOf(3)} }
      })`
  }
}
