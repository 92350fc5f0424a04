import { buildApp, createLogger, readConfig } from '@linker/runtime'
import { randomUUID } from 'node:crypto'

import { join } from 'node:path'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import { makeProject, type ForeignPackage } from '../support/project.ts'
import { describeMachine } from './figures.ts'

export interface CarrierOptions {
  calls: number
  runs: number
}

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
      capabilities: {
        InventoryMaster: () => ({ getStock: async () => [level], listStock: async () => ({ items: [level] }) })
      }
    })`
}

/**
 * Measures one call on an adapter, inline and in a thread, and a bare round trip over a MessagePort
 * in the same run for comparison.
 */
export async function benchCarrier ({ calls, runs }: CarrierOptions): Promise<void> {
  console.log(`carrier: ${calls} calls of InventoryMaster.getStock one after the other, ` +
    `medians of ${runs} runs after one warm-up run`)
  console.log(describeMachine('benchmark and hub'))
  console.log(`${'what'.padEnd(44)}${'µs/call'.padStart(10)}${'of limit'.padStart(10)}`)
  const limit = await measurePort(calls, runs)
  show('limit: bare round trip over a MessagePort', limit, limit)
  for (const isolation of ['inline', 'worker'] as const) {
    const time = await measureCarrier(isolation, calls, runs)
    show(`adapter, ${isolation}`, time, limit)
  }
}

function show (what: string, microseconds: number, limit: number): void {
  const share = `${(microseconds / limit).toFixed(2)} ×`
  console.log(what.padEnd(44) + microseconds.toFixed(1).padStart(10) + share.padStart(10))
}

/** A thread that sends every message back. */
const echo = `
  const { parentPort } = require('node:worker_threads')
  parentPort.once('message', ({ port }) => {
    port.on('message', message => { port.postMessage(message) })
  })`

async function measurePort (calls: number, runs: number): Promise<number> {
  const worker = new Worker(echo, { eval: true })
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ port: port2 }, [port2])
  try {
    return await median(runs, calls, askOver(port1))
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

async function measureCarrier (isolation: 'inline' | 'worker', calls: number, runs: number): Promise<number> {
  const project = await makeProject({ adapters: [{ use: 'adapter-shelf', isolation }] }, [shelf])
  const config = readConfig({
    ADMIN_TOKEN: randomUUID() + randomUUID(),
    LINKER_DATA_DIR: join(project.directory, 'state'),
    LOG_LEVEL: 'silent'
  }, project.directory)
  const app = await buildApp({ config, adminToken: randomUUID(), loggerInstance: createLogger(config) })
  try {
    const adapter = app.adapters.registry.resolve('shelf.api.v1')
    const connection = { id: randomUUID(), platformType: 'shelf', config: {}, credentials: null, version: '1' }
    const { signal } = new AbortController()
    return await median(runs, calls, async () => {
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

async function median (runs: number, calls: number, work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run <= runs; run += 1) {
    const startedAt = performance.now()
    for (let call = 0; call < calls; call += 1) await work()
    if (run > 0) times.push((performance.now() - startedAt) * 1_000 / calls)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
