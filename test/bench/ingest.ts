import { randomBytes, randomUUID } from 'node:crypto'

import { createApi } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { openMode, type Mode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'
import { describeMachine } from './figures.ts'
import { sendLoad } from './load.ts'
import { cpuMicroseconds, startLimitServer } from './measured-process.ts'
import { prepareRequests } from './requests.ts'

export interface IngestOptions {
  modes: readonly Mode[]
  environment: NodeJS.ProcessEnv
  seconds: number
  runs: number
  sockets: number
  pipelining: number
}

interface Figures {
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicroseconds: number
  clientShare: number
  refused: number
}
interface Target {
  url: string
  pid: number
  connectionIds: readonly string[]
  secret: string
}
type Measure = (label: string, target: Target, limit?: Figures) => Promise<Figures>

const connections = 50
const bodyBytes = 500
const mostPerSecond = 90_000

/**
 * Counts the signed webhooks that the hub accepts per second, and measures the limits of its parts
 * in the same run.
 */
export async function benchIngest (options: IngestOptions): Promise<void> {
  const { modes, environment, runs } = options
  describeRun(options)

  async function measure (label: string, target: Target, limit?: Figures): Promise<Figures> {
    const figures: Figures[] = []
    for (let run = 0; run < runs; run += 1) figures.push(await measureOnce(target, options))
    const median = medianOf(figures)
    console.log(describe(label, median, limit))
    return median
  }

  await measureLimit('bare', {}, target => measure('limit: bare Fastify route', target))
  await measureLimit('verify', {}, target => measure('limit: + look-up, signature, check', target))
  for (const mode of modes) {
    const limit = await measureStore(mode, environment, measure)
    for (const role of ['http', 'all']) {
      await measureHub(mode, role, environment, target => measure(`hub ${mode}, role ${role}`, target, limit))
    }
  }
}

function describeRun ({ seconds, runs, sockets, pipelining }: IngestOptions): void {
  const requests = pipelining === 1 ? '1 request' : `${pipelining} requests`
  console.log(`ingest: ${bodyBytes} bytes, unique event ids, ${connections} connections of the hub, ` +
    `${sockets} kept sockets × ${requests} under way; ` +
    `medians of ${runs} runs of ${seconds} s after a second of warm-up`)
  const machine = describeMachine('client, hub, Redis and PostgreSQL')
  console.log(`${machine}, so compare with the limits, not with other machines`)
  console.log('requests are signed before they are sent; CPU is that of the serving process, threads included; ' +
    '"of limit" is its share of the limit above it in the same store')
  console.log(heading)
}

/** Measures the store of a mode with one call for each request. */
async function measureStore (mode: Mode, environment: NodeJS.ProcessEnv, measure: Measure): Promise<Figures> {
  const state = await openMode(mode, environment)
  const project = await makeProject({})
  const { DATABASE_URL, REDIS_URL } = state.variables
  try {
    const label = `limit: + one ${mode === 'full' ? 'Redis script' : `INSERT, ${mode}`}`
    return await measureLimit(mode === 'full' ? 'script' : 'insert', {
      url: REDIS_URL ?? DATABASE_URL,
      directory: project.directory
    }, target => measure(label, target))
  } finally {
    await project.remove()
    await state.close()
  }
}

async function measureLimit (
  variant: string,
  { url = '', directory = '' }: { url?: string | undefined, directory?: string },
  measure: (target: Target) => Promise<Figures>
): Promise<Figures> {
  const secret = randomBytes(16).toString('hex')
  const connectionIds = Array.from({ length: connections }, () => randomUUID())
  const server = await startLimitServer([variant, secret, connectionIds.join(), url, directory])
  try {
    return await measure({ url: server.url, pid: server.pid, secret, connectionIds })
  } finally {
    await server.stop()
  }
}

async function measureHub (
  mode: Mode,
  role: string,
  environment: NodeJS.ProcessEnv,
  measure: (target: Target) => Promise<Figures>
): Promise<void> {
  const secret = randomBytes(16).toString('hex')
  const token = randomBytes(32).toString('hex')
  const state = await openMode(mode, environment)
  const project = await makeProject({})
  const hub = await startHubProcess(project.directory, {
    ...state.variables,
    ADMIN_TOKEN: token,
    LINKER_WEBHOOK_SECRET__SHOPA: secret,
    LINKER_ROLE: role,
    LOG_LEVEL: 'warn'
  })
  try {
    const api = createApi(hub.url, token)
    const connectionIds: string[] = []
    for (let number = 0; number < connections; number += 1) {
      const created = await api('POST', '/connections', {
        body: {
          name: `Shop ${number}`,
          platformType: 'shopa',
          credentials: { apiUrl: 'https://shop.example', apiKey: randomBytes(16).toString('hex') }
        }
      })
      if (created.status !== 201) throw new Error(`a connection was not created: ${created.status} ${created.text}`)
      connectionIds.push((created.json as { id: string }).id)
    }
    await measure({ url: hub.url, pid: hub.pid, connectionIds, secret })
  } finally {
    await hub.stop()
    await project.remove()
    await state.close()
  }
}

async function measureOnce (
  { url, pid, connectionIds, secret }: Target,
  { seconds, sockets, pipelining }: IngestOptions
): Promise<Figures> {
  const host = new URL(url).host
  const prepare = (count: number): Buffer[] => prepareRequests({ host, connectionIds, secret, count, bodyBytes })
  // The first requests compile the server's code and open its connections. Their rate also tells
  // how many requests the run needs.
  const warmUp = await sendLoad({ url, requests: prepare(20_000), sockets, pipelining, seconds: 1 })
  const requests = prepare(Math.min(mostPerSecond, Math.ceil(warmUp.accepted / warmUp.seconds * 2) + 1_000) * seconds)
  const [serverBefore, clientBefore] = [cpuMicroseconds(pid), cpuMicroseconds(process.pid)]
  const result = await sendLoad({ url, requests, sockets, pipelining, seconds })
  const elapsed = result.seconds * 1_000_000
  return {
    perSecond: result.accepted / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicroseconds: (cpuMicroseconds(pid) - serverBefore) / result.accepted,
    clientShare: (cpuMicroseconds(process.pid) - clientBefore) / elapsed,
    refused: result.refused
  }
}

function medianOf (figures: readonly Figures[]): Figures {
  const median = (pick: (figure: Figures) => number): number =>
    figures.map(pick).toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
  return {
    perSecond: median(figure => figure.perSecond),
    p50Ms: median(figure => figure.p50Ms),
    p99Ms: median(figure => figure.p99Ms),
    cpuMicroseconds: median(figure => figure.cpuMicroseconds),
    clientShare: median(figure => figure.clientShare),
    refused: Math.max(...figures.map(figure => figure.refused))
  }
}

const widths = [11, 9, 8, 8, 13, 12, 8]

function rowOf (what: string, cells: readonly string[]): string {
  return [what.padEnd(34), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))].join(' ')
}

const heading = rowOf('', ['accepted/s', 'of limit', 'p50 ms', 'p99 ms', 'CPU µs/event', 'client core', 'refused'])

function describe (
  label: string,
  { perSecond, p50Ms, p99Ms, cpuMicroseconds: cpu, clientShare, refused }: Figures,
  limit?: Figures
): string {
  const share = limit === undefined ? '' : `${(perSecond / limit.perSecond * 100).toFixed(0)} %`
  return rowOf(label, [
    perSecond.toFixed(0),
    share,
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    cpu.toFixed(1),
    `${(clientShare * 100).toFixed(0)} %`,
    String(refused)
  ])
}
