import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createApi } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'
import { sendLoad } from './load.ts'
import { prepareRequests } from './requests.ts'

/** An adapter whose only job starts with each event `stock.changed`. Its functions are source. */
export interface OneJobAdapter {
  platformType: string
  /** The origins that it may send requests to. */
  http?: readonly string[]
  /** A JSON schema. */
  config: object
  connect: string
  run: string
}

/** A hub process with such an adapter. */
export interface OneJobHub {
  pid: number
  /** Makes connections and returns their ids. */
  connect(count: number, config?: object): Promise<string[]>
  /** Makes signed webhooks, spread over the connections, each about another object. */
  prepare(connectionIds: readonly string[], count: number): Buffer[]
  /** Sends webhooks, and returns how many the hub accepted in a second. It must accept all. */
  send(requests: readonly Buffer[]): Promise<number>
  /** Waits until so many jobs have succeeded since the start of the hub. */
  waitForSucceeded(count: number): Promise<void>
  close(): Promise<void>
}

const bodyBytes = 500
const sockets = 50
const lookEveryMs = 100
const longestSeconds = 600

export async function openOneJobHub (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  adapter: OneJobAdapter
): Promise<OneJobHub> {
  const { platformType } = adapter
  const state = await openMode(mode, environment)
  const packaged = packageOf(adapter)
  const project = await makeProject(
    { adapters: [packaged.manifest.name], outbound: { allow: ['127.0.0.0/8'] } },
    [packaged]
  )
  const [secret, token] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const hub = await startHubProcess(project.directory, {
    ...state.variables,
    ADMIN_TOKEN: token,
    [`LINKER_WEBHOOK_SECRET__${platformType.toUpperCase()}`]: secret,
    LOG_LEVEL: 'fatal'
  })
  const api = createApi(hub.url, token)

  async function connectOne (number: number, config: object): Promise<string> {
    const created = await api('POST', '/connections', {
      body: { name: `${platformType} ${number}`, platformType, config, credentials: {} }
    })
    if (created.status !== 201) throw new Error(`a connection was not created: ${created.status} ${created.text}`)
    return (created.json as { id: string }).id
  }

  async function countSucceeded (): Promise<number> {
    const { text } = await api('GET', '/metrics')
    const lines = text.split('\n')
      .filter(line => line.startsWith('linker_jobs_ended_total{') && line.includes('outcome="succeeded"'))
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  }

  return {
    pid: hub.pid,
    async connect (count, config = {}) {
      const ids: string[] = []
      for (let number = 0; number < count; number += 1) ids.push(await connectOne(number, config))
      return ids
    },
    prepare: (connectionIds, count) =>
      prepareRequests({
        host: new URL(hub.url).host,
        connectionIds,
        secret,
        count,
        bodyBytes,
        eventType: 'stock.changed',
        provider: platformType
      }),
    async send (requests) {
      const load = { url: hub.url, requests, sockets, pipelining: 1, seconds: longestSeconds }
      const { accepted, seconds } = await sendLoad(load)
      if (accepted !== requests.length) throw new Error(`only ${accepted} of ${requests.length} events were accepted`)
      return accepted / seconds
    },
    async waitForSucceeded (count) {
      const startedAt = performance.now()
      while (await countSucceeded() < count) {
        if (performance.now() - startedAt > longestSeconds * 1_000) throw new Error('the jobs did not succeed')
        await wait(lookEveryMs)
      }
    },
    async close () {
      await hub.stop()
      await project.remove()
      await state.close()
    }
  }
}

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
        capabilities: { InventoryMaster: () => ({ getStock: async () => [], listStock: async () => ({ items: [] }) }) },
        webhooks: { scheme: 'hmac' },
        jobs: { '${platformType}.inventory.syncByExternalId': { payload: { type: 'object' }, run: ${run} } }
      })`
  }
}
