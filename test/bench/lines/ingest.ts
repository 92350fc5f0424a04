import { randomBytes, randomUUID } from 'node:crypto'
import { openMode, type Mode } from '../../support/modes.ts'
import { makeProject } from '../../support/project.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures, type Spreads } from '../report/figures.ts'
import { openReport, type Report } from '../report/report.ts'
import { sendLoad } from '../tools/load.ts'
import { cpuMicroseconds, startLimitServer } from '../tools/measured-process.ts'
import { openOneJobHub, type OneJobHub } from '../tools/one-job-hub.ts'
import { prepareRequests } from '../tools/requests.ts'
import { serverColumnsOf, useOfEach, type ServerFigure, type ServerFigures } from '../tools/server-meter.ts'
import { sleeper } from '../tools/small-jobs.ts'

type Name = 'accepted' | 'p50' | 'p99' | 'cpu' | 'client' | 'refused' | ServerFigure
type Options = Readonly<Record<'seconds' | 'sockets' | 'pipelining' | 'backlog', number>>

/** A target is a server that is measured. It makes the signed requests that are sent to it. */
interface Target {
  url: string
  pid: number
  prepare(count: number): Buffer[]
  /** The measurement calls it with the number of events that the server accepted. */
  onAccepted?(count: number): void
  /** Reads what PostgreSQL and Redis have used so far. Only the hub has it. */
  readServers?(): Promise<ServerFigures>
}

const connections = 50
const bodyBytes = 500
const mostPerSecond = 90_000
const jobMs = 20

/**
 * Counts the signed webhooks that the hub accepts per second, alone, with a job for each event, and
 * beside jobs that wait. It measures the limits of the hub's parts in the same run.
 */
export const ingest = defineBench({
  name: 'ingest',
  options: { seconds: 5, sockets: 50, pipelining: 1, backlog: 20_000 },
  async run ({ modes, environment, runs, options }) {
    for (const mode of modes) {
      const report = openReport<Name>({
        name: `ingest-${mode}`,
        title: `Signed webhooks accepted, ${mode}`,
        method: describe(options),
        runs,
        columns: {
          accepted: { heading: 'accepted/s' },
          p50: { heading: 'p50 ms', digits: 1 },
          p99: { heading: 'p99 ms', digits: 1 },
          cpu: { heading: 'CPU µs/event', digits: 1 },
          client: { heading: 'client core %' },
          refused: { heading: 'refused' },
          ...serverColumnsOf(mode)
        },
        main: 'accepted'
      })
      const measure = (target: Target): Promise<Spreads<Name>> => repeat(runs, () => measureOnce(target, options))
      await measureLimit('bare', {}, async target => report.limit('bare Fastify route', await measure(target)))
      await measureLimit(
        'verify',
        {},
        async target => report.limit('with look-up, signature and check', await measure(target))
      )
      const limit = await measureStore(mode, environment, report, measure)
      await measureHubs({ mode, environment, runs, options, report, limit })
      await report.keep()
    }
  }
})

function describe ({ seconds, sockets, pipelining, backlog }: Options): string {
  const requests = pipelining === 1 ? '1 request' : `${pipelining} requests`
  return `${bodyBytes} bytes, unique event ids, ${connections} connections of the hub, ${sockets} kept sockets ` +
    `with ${requests} under way, ${seconds} s after a second of warm-up; requests are signed before; the backlog ` +
    `is ${backlog} jobs of ${jobMs} ms; CPU is that of the serving process`
}

/** Measures the store of a mode with one call for each request. */
async function measureStore (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  report: Report<Name>,
  measure: (target: Target) => Promise<Spreads<Name>>
): Promise<string> {
  const state = await openMode(mode, environment)
  const project = await makeProject({})
  const { DATABASE_URL, REDIS_URL } = state.variables
  try {
    return await measureLimit(mode === 'full' ? 'script' : 'insert', {
      url: REDIS_URL ?? DATABASE_URL,
      directory: project.directory
    }, async target => report.limit(`and one ${mode === 'full' ? 'Redis script' : 'INSERT'}`, await measure(target)))
  } finally {
    await project.remove()
    await state.close()
  }
}

async function measureLimit<Result> (
  variant: string,
  { url = '', directory = '' }: { url?: string | undefined, directory?: string },
  work: (target: Target) => Promise<Result>
): Promise<Result> {
  const secret = randomBytes(16).toString('hex')
  const connectionIds = Array.from({ length: connections }, () => randomUUID())
  const server = await startLimitServer([variant, secret, connectionIds.join(), url, directory])
  const host = new URL(server.url).host
  try {
    return await work({
      url: server.url,
      pid: server.pid,
      prepare: count => prepareRequests({ host, connectionIds, secret, count, bodyBytes })
    })
  } finally {
    await server.stop()
  }
}

async function measureHubs ({ mode, environment, runs, options, report, limit }: {
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  runs: number,
  options: Options,
  report: Report<Name>,
  limit: string
}): Promise<void> {
  await withHub(mode, environment, 'http', async hub => {
    const target = targetOf(hub, await hub.connect(connections))
    report.hub('hub, role http', await repeat(runs, () => measureOnce(target, options)), limit)
  })
  await withHub(mode, environment, 'all', async hub => {
    const connectionIds = await hub.connect(connections)
    const silent = targetOf(hub, connectionIds, 'test.bench')
    let jobs = 0

    async function send (requests: readonly Buffer[]): Promise<void> {
      await hub.send(requests)
      jobs += requests.length
    }

    /** Measures one run, and waits for what it leaves behind. */
    async function measureAlone (target: Target): Promise<Figures<Name>> {
      const figures = await measureOnce(target, options)
      // These come last in the stream.
      await send(hub.prepare(connectionIds, connections))
      await hub.waitForSucceeded(jobs)
      return figures
    }

    const quiet = await repeat(runs, () => measureAlone(silent))
    const alone = report.hub('hub, role all, no jobs', quiet, limit)
    const target: Target = {
      ...targetOf(hub, connectionIds),
      onAccepted (count) {
        jobs += count
      }
    }
    report.hub('hub, role all, a job for each event', await repeat(runs, () => measureAlone(target)), limit)
    const slow = await hub.connect(connections, { delayMs: jobMs })
    const behind = await repeat(runs, async () => {
      await send(hub.prepare(slow, options.backlog))
      return measureAlone(silent)
    })
    report.hub('hub, role all, no jobs, beside a backlog', behind, alone)
  })
}

async function withHub (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  role: string,
  work: (hub: OneJobHub) => Promise<void>
): Promise<void> {
  const hub = await openOneJobHub(mode, environment, sleeper, { roles: [role] })
  try {
    await work(hub)
  } finally {
    await hub.close()
  }
}

function targetOf (hub: OneJobHub, connectionIds: readonly string[], eventType?: string): Target {
  return {
    url: hub.url,
    pid: hub.pids[0] ?? Number.NaN,
    readServers: hub.readServers,
    prepare: count => hub.prepare(connectionIds, count, eventType)
  }
}

async function measureOnce (
  { url, pid, prepare, onAccepted, readServers = async () => ({}) }: Target,
  { seconds, sockets, pipelining }: Options
): Promise<Figures<Name>> {
  // The first requests compile the server's code and open its connections. Their rate also tells
  // how many requests the run needs.
  const warmUp = await sendLoad({ url, requests: prepare(20_000), sockets, pipelining, seconds: 1 })
  const requests = prepare(Math.min(mostPerSecond, Math.ceil(warmUp.accepted / warmUp.seconds * 2) + 1_000) * seconds)
  const before = await readServers()
  const [serverBefore, clientBefore] = [cpuMicroseconds(pid), cpuMicroseconds(process.pid)]
  const result = await sendLoad({ url, requests, sockets, pipelining, seconds })
  onAccepted?.(warmUp.accepted + result.accepted)
  const elapsed = result.seconds * 1_000_000
  const own = {
    accepted: result.accepted / result.seconds,
    p50: result.p50Ms,
    p99: result.p99Ms,
    cpu: (cpuMicroseconds(pid) - serverBefore) / result.accepted,
    client: 100 * (cpuMicroseconds(process.pid) - clientBefore) / elapsed,
    refused: result.refused
  }
  // The figures of servers that cannot be measured are absent.
  return { ...own, ...useOfEach(before, await readServers(), result.accepted) } as Figures<Name>
}
