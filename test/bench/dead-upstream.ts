import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'
import { describeMachine } from './figures.ts'
import { connectAll, countEnded, sendAll, waitForEnded } from './job-load.ts'
import { prepareRequests } from './requests.ts'

export interface DeadUpstreamOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  events: number
}

/** How an upstream is dead. */
type Death = 'refuses' | 'is silent'

const connections = 50
const goodEvents = 10_000
const warmUpEvents = 2_000
const latencyMs = 20
const bodyBytes = 500

/** Each job sends one request. */
const reader: ForeignPackage = {
  manifest: {
    name: '@bench/reader',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'reader.api.v1',
      platformType: 'reader',
      displayName: 'Reader',
      capabilities: ['InventoryMaster'],
      // eslint-disable-next-line no-template-curly-in-string -- the manifest's own syntax
      permissions: { jobs: ['reader.*'], http: ['${config.baseUrl}'] }
    },
    peerDependencies: { '@linker/sdk': '^0.1.0' }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object', properties: { baseUrl: { type: 'string' } }, required: ['baseUrl'] },
      credentials: { type: 'object' },
      connect: ({ http, config }) => http({ baseUrl: config.baseUrl }),
      capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) },
      webhooks: { scheme: 'hmac' },
      jobs: {
        'reader.inventory.syncByExternalId': {
          payload: { type: 'object' },
          run: async client => ({ result: await client.json({ method: 'GET', path: 'stock' }) })
        }
      }
    })`
}

/**
 * Measures how many jobs of 50 connections end in a second while the jobs of another connection
 * wait for an upstream that is dead, beside the same run without those jobs.
 */
export async function benchDeadUpstream ({ modes, environment, events }: DeadUpstreamOptions): Promise<void> {
  console.log(`dead-upstream: ${goodEvents} jobs of ${connections} connections, whose upstream takes ` +
    `${latencyMs} ms, beside ${events} jobs of a connection whose upstream is dead`)
  console.log(describeMachine('upstream, client, hub, Redis and PostgreSQL'))
  showRow('good jobs ended per second', ['alone', 'it refuses', '', 'it is silent', ''])
  for (const mode of modes) {
    const alone = await measure(mode, environment)
    const refused = await measure(mode, environment, { events, death: 'refuses' })
    const silent = await measure(mode, environment, { events, death: 'is silent' })
    const share = (perSecond: number): string => `${(100 * perSecond / alone).toFixed(0)} %`
    showRow(mode, [alone.toFixed(0), refused.toFixed(0), share(refused), silent.toFixed(0), share(silent)])
  }
}

function showRow (what: string, cells: readonly string[]): void {
  console.log(what.padEnd(30) + cells.map(cell => cell.padStart(14)).join(''))
}

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  dead?: { events: number, death: Death }
): Promise<number> {
  const state = await openMode(mode, environment)
  const project = await makeProject(
    { adapters: [reader.manifest.name], outbound: { allow: ['127.0.0.0/8'] } },
    [reader]
  )
  const [secret, token] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const [upstream, silent] = [await startUpstream(), await startSilent()]
  const hub = await startHubProcess(project.directory, {
    ...state.variables,
    ADMIN_TOKEN: token,
    LINKER_WEBHOOK_SECRET__READER: secret,
    LOG_LEVEL: 'fatal'
  })
  try {
    const api = createApi(hub.url, token)
    const connect = (count: number, baseUrl: string): Promise<string[]> =>
      connectAll(api, { count, platformType: 'reader', config: { baseUrl } })
    const send = (connectionIds: readonly string[], count: number): Promise<number> =>
      sendAll(
        hub.url,
        prepareRequests({
          host: new URL(hub.url).host,
          connectionIds,
          secret,
          count,
          bodyBytes,
          eventType: 'stock.changed',
          provider: 'reader'
        })
      )
    const good = await connect(connections, urlOf(upstream))
    await send(good, warmUpEvents)
    await waitForEnded(api, warmUpEvents)
    if (dead !== undefined) {
      const address = dead.death === 'refuses' ? `http://127.0.0.1:${await freePort()}` : urlOf(silent)
      await send(await connect(1, address), dead.events)
    }
    const [before, startedAt] = [await countEnded(api, { outcome: 'succeeded' }), performance.now()]
    await send(good, goodEvents)
    await waitForEnded(api, before + goodEvents, { outcome: 'succeeded' })
    return 1_000 * goodEvents / (performance.now() - startedAt)
  } finally {
    await hub.stop()
    for (const server of [upstream, silent]) {
      server.close()
      server.closeAllConnections()
    }
    await project.remove()
    await state.close()
  }
}

async function startUpstream (): Promise<Server> {
  return listening(createServer((_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), latencyMs)
  }))
}

/** Accepts requests and never answers. */
async function startSilent (): Promise<Server> {
  return listening(createServer(() => undefined))
}

async function listening (server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  return server
}

function urlOf (server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
