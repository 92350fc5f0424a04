import { buildApp, createLogger, readConfig } from '@linker/runtime'
import { randomUUID } from 'node:crypto'

import { join } from 'node:path'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { makeProject, type ForeignPackage } from '../../support/project.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures, type Spreads } from '../report/figures.ts'
import { openReport } from '../report/report.ts'

type Times = Spreads<'microseconds'>

/** The smallest possible adapter: the benchmark measures the way to it, not its work. */
const shelf: ForeignPackage = {
  manifest: {
    name: 'adapter-shelf',
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'shelf.api.v1',
      platformType: 'shelf',
      displayName: 'Shelf',
      capabilities: ['InventoryMaster']
    }
  },
  source: `import { defineAdapter } from '@linker/sdk'
    const level = { productExternalId: '27', variantExternalId: '27', quantity: 5 }
    export default defineAdapter({
      config: { type: 'object' },
      credentials: { type: 'null' },
      connect: () => ({}),
      account: async () => undefined,
      capabilities: {
        InventoryMaster: () => ({ getStock: async () => [level], listStock: async () => ({ items: [level] }) })
      }
    })`
}

/**
 * Measures one call on an adapter, inline and in a thread, and a bare round trip over a MessagePort
 * in the same run for comparison.
 */
export const carrier = defineBench({
  name: 'carrier',
  options: { calls: 20_000 },
  async run ({ runs, options: { calls } }) {
    const report = openReport({
      name: 'carrier',
      title: 'A call of an adapter',
      method: `${calls} calls of InventoryMaster.getStock one after the other, after one warm-up run`,
      runs,
      columns: { microseconds: { heading: 'µs/call', digits: 1 } },
      main: 'microseconds'
    })
    const limit = report.limit('bare round trip over a MessagePort', await measurePort(calls, runs))
    for (const isolation of ['inline', 'worker'] as const) {
      report.hub(`adapter, ${isolation}`, await measureCarrier(isolation, calls, runs), limit)
    }
    await report.keep()
  }
})

/** A thread that sends every message back. */
const echo = `
  const { parentPort } = require('node:worker_threads')
  parentPort.once('message', ({ port }) => {
    port.on('message', message => { port.postMessage(message) })
  })`

async function measurePort (calls: number, runs: number): Promise<Times> {
  const worker = new Worker(echo, { eval: true })
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ port: port2 }, [port2])
  try {
    return await measureCalls(runs, calls, askOver(port1))
  } finally {
    await worker.terminate()
    port1.close()
  }
}

/** All calls share one listener, so that the time is the port's alone. */
function askOver (port: MessagePort): () => Promise<void> {
  let answer: () => void = () => undefined
  port.on('message', () => {
    answer()
  })
  return () =>
    new Promise(resolve => {
      answer = resolve
      port.postMessage({ id: 1, items: [{ productExternalId: '27', variantExternalId: '27', quantity: 5 }] })
    })
}

async function measureCarrier (isolation: 'inline' | 'worker', calls: number, runs: number): Promise<Times> {
  const project = await makeProject({ adapters: [{ use: 'adapter-shelf', isolation }] }, [shelf])
  const config = readConfig({
    ADMIN_TOKEN: randomUUID() + randomUUID(),
    LINKER_DATA_DIR: join(project.directory, 'state'),
    LOG_LEVEL: 'silent'
  }, project.directory)
  const app = await buildApp({ config, adminToken: randomUUID(), loggerInstance: createLogger(config) })
  try {
    const adapter = app.adapters.registry.resolve('shelf.api.v1')
    const connection = {
      id: randomUUID(),
      platformType: 'shelf',
      config: {},
      credentials: null,
      version: '1',
      credentialsVersion: ':0'
    }
    const { signal } = new AbortController()
    return await measureCalls(runs, calls, async () => {
      await app.adapters.call(
        adapter,
        connection,
        { kind: 'capability', capability: 'InventoryMaster', method: 'getStock' },
        ['27'],
        { signal }
      )
    })
  } finally {
    await app.close()
    await project.remove()
  }
}

/** Measures calls one after the other. The first run warms up and does not count. */
async function measureCalls (runs: number, calls: number, work: () => Promise<void>): Promise<Times> {
  async function measure (): Promise<Figures<'microseconds'>> {
    const startedAt = performance.now()
    for (let call = 0; call < calls; call += 1) await work()
    return { microseconds: (performance.now() - startedAt) * 1_000 / calls }
  }

  await measure()
  return repeat(runs, measure)
}
