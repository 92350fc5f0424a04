import { defineBench } from '../bench.ts'
import { repeat, type Figures } from '../report/figures.ts'
import { openReport, type Report } from '../report/report.ts'
import { sendLoad } from '../tools/load.ts'
import { cpuMicroseconds } from '../tools/measured-process.ts'
import {
  receiverDescription,
  receiverOf,
  wholeLimitOf,
  withHub,
  withLimit,
  type Limit,
  type Receiver,
  type ReceiverOptions
} from '../tools/receivers.ts'
import { serverColumnsOf, useOfEach, type ServerFigure } from '../tools/server-meter.ts'

type Name = 'accepted' | 'p50' | 'p99' | 'cpu' | 'client' | 'refused' | ServerFigure
type Options = Readonly<Record<'seconds' | 'sockets' | 'pipelining' | 'backlog', number>>

interface Counted extends Receiver {
  /** The measurement calls it with the number of events that the server accepted. */
  onAccepted?(count: number): void
}

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
      const measureLimit = (limit: Limit, title: string): Promise<string> =>
        withLimit(
          limit,
          { mode, environment },
          async receiver => report.limit(title, await repeat(runs, () => measureOnce(receiver, options)))
        )
      await measureLimit('bare', 'bare Fastify route')
      await measureLimit('verify', 'with look-up, signature and check')
      const whole = wholeLimitOf(mode)
      const limit = await measureLimit(whole, `and one ${whole === 'script' ? 'Redis script' : 'INSERT'}`)
      await measureHubs({ mode, environment, runs, options, report, limit })
      await report.keep()
    }
  }
})

function describe ({ seconds, sockets, pipelining, backlog }: Options): string {
  const requests = pipelining === 1 ? '1 request' : `${pipelining} requests`
  return `${receiverDescription}, ${sockets} kept sockets with ${requests} under way, ${seconds} s after a second of ` +
    `warm-up; requests are signed before; the backlog is ${backlog} jobs of ${jobMs} ms; CPU is that of the serving ` +
    'process'
}

async function measureHubs ({ mode, environment, runs, options, report, limit }: ReceiverOptions & {
  runs: number,
  options: Options,
  report: Report<Name>,
  limit: string
}): Promise<void> {
  await withHub({ mode, environment, role: 'http' }, async (hub, connectionIds) => {
    const receiver = receiverOf(hub, connectionIds)
    report.hub('hub, role http', await repeat(runs, () => measureOnce(receiver, options)), limit)
  })
  await withHub({ mode, environment, role: 'all' }, async (hub, connectionIds) => {
    const silent = receiverOf(hub, connectionIds, 'test.bench')
    let jobs = 0

    async function send (requests: readonly Buffer[]): Promise<void> {
      await hub.send(requests)
      jobs += requests.length
    }

    /** Measures one run, and waits for what it leaves behind. */
    async function measureAlone (receiver: Counted): Promise<Figures<Name>> {
      const figures = await measureOnce(receiver, options)
      // These come last in the stream.
      await send(hub.prepare(connectionIds, connectionIds.length))
      await hub.waitForSucceeded(jobs)
      return figures
    }

    const quiet = await repeat(runs, () => measureAlone(silent))
    const alone = report.hub('hub, role all, no jobs', quiet, limit)
    const busy: Counted = {
      ...receiverOf(hub, connectionIds),
      onAccepted (count) {
        jobs += count
      }
    }
    report.hub('hub, role all, a job for each event', await repeat(runs, () => measureAlone(busy)), limit)
    const slow = await hub.connect(connectionIds.length, { delayMs: jobMs })
    const behind = await repeat(runs, async () => {
      await send(hub.prepare(slow, options.backlog))
      return measureAlone(silent)
    })
    report.hub('hub, role all, no jobs, beside a backlog', behind, alone)
  })
}

async function measureOnce (
  { url, pid, prepare, onAccepted, readServers = async () => ({}) }: Counted,
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
