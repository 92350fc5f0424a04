import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '../../support/free-port.ts'
import type { Mode } from '../../support/modes.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { openOneJobHub, type OneJobAdapter } from '../tools/one-job-hub.ts'

/** How an upstream is dead. */
type Death = 'refuses' | 'is silent'

const connections = 50
const goodEvents = 10_000
const warmUpEvents = 2_000
const latencyMs = 20

/** Its job sends one request. */
const reader: OneJobAdapter = {
  platformType: 'reader',
  http: ['${config.baseUrl}'],
  config: { type: 'object', properties: { baseUrl: { type: 'string' } }, required: ['baseUrl'] },
  connect: '({ http, config }) => http({ baseUrl: config.baseUrl })',
  run: "async client => ({ result: await client.json({ method: 'GET', path: 'stock' }) })"
}

/**
 * Measures how many jobs of 50 connections end in a second while the jobs of another connection
 * wait for an upstream that is dead, beside the same run without those jobs.
 */
export const deadUpstream = defineBench({
  name: 'dead-upstream',
  options: { 'dead-events': 20_000 },
  async run ({ modes, environment, runs, options: { 'dead-events': events } }) {
    for (const mode of modes) {
      const report = openReport({
        name: `dead-upstream-${mode}`,
        title: `Jobs beside a dead upstream, ${mode}`,
        method: `${goodEvents} jobs of ${connections} connections, whose upstream takes ${latencyMs} ms, ` +
          `beside ${events} waiting jobs of a connection whose upstream is dead`,
        runs,
        columns: { ended: { heading: 'ended/s' } },
        main: 'ended'
      })
      const alone = report.hub('alone', await repeat(runs, () => measure(mode, environment)))
      for (const death of ['refuses', 'is silent'] as const) {
        const figures = await repeat(runs, () => measure(mode, environment, { events, death }))
        report.hub(`beside an upstream that ${death}`, figures, alone)
      }
      await report.keep()
    }
  }
})

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  dead?: { events: number, death: Death }
): Promise<Figures<'ended'>> {
  const [upstream, silent] = [await startUpstream(), await startSilent()]
  const hub = await openOneJobHub(mode, environment, reader)
  try {
    const good = await hub.connect(connections, { baseUrl: urlOf(upstream) })
    await hub.send(hub.prepare(good, warmUpEvents))
    await hub.waitForSucceeded(warmUpEvents)
    if (dead !== undefined) {
      const baseUrl = dead.death === 'refuses' ? `http://127.0.0.1:${await freePort()}` : urlOf(silent)
      await hub.send(hub.prepare(await hub.connect(1, { baseUrl }), dead.events))
      // Making the jobs takes the processor, too, and is not what is measured.
      await hub.waitForLive(dead.events)
    }
    const requests = hub.prepare(good, goodEvents)
    const startedAt = performance.now()
    await hub.send(requests)
    await hub.waitForSucceeded(warmUpEvents + goodEvents)
    return { ended: 1_000 * goodEvents / (performance.now() - startedAt) }
  } finally {
    await hub.close()
    for (const server of [upstream, silent]) {
      server.close()
      server.closeAllConnections()
    }
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
