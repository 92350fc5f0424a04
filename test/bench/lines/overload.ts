import { setTimeout as wait } from 'node:timers/promises'
import type { Mode } from '../../support/modes.ts'
import { defineBench } from '../bench.ts'
import { percentilesOf, repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { sendLoad } from '../tools/load.ts'
import { countSucceeded, warmUp } from '../tools/measure-events.ts'
import { memoryOf, resetPeak } from '../tools/measured-process.ts'
import { offerLoad } from '../tools/offered-load.ts'
import { openOneJobHub, type OneJobHub } from '../tools/one-job-hub.ts'
import { noop } from '../tools/small-jobs.ts'

type Name =
  | 'capacity'
  | 'offered'
  | 'accepted'
  | 'later'
  | 'wrong'
  | 'unanswered'
  | 'peak'
  | 'recovered'
  | 'backlog'
  | 'lost'

const connections = 50
const sockets = 2_000
const capacitySeconds = 3
const quietProbes = 40
const calmProbes = 5
const probeEveryMs = 50
const longestMs = 60_000
const mebibyte = 1024 ** 2

/**
 * Offers three times as many webhooks as the hub can accept, each with a job. Looks then whether it
 * answers as fast as before, and whether a job ran for every accepted event.
 */
export const overload = defineBench({
  name: 'overload',
  options: { times: 3, 'overload-seconds': 10 },
  async run ({ modes, environment, runs, options: { times, 'overload-seconds': seconds } }) {
    for (const mode of modes) {
      const report = openReport<Name>({
        name: `overload-${mode}`,
        title: `${times} times as many webhooks as the hub can accept, ${mode}`,
        method:
          `${seconds} s on ${sockets} sockets, each event starts a job; "503": with Retry-After; "wrong": other ` +
          'answers than 202 and 503; "recovered": from the last answer until single webhooks take at most twice as ' +
          'long as the p99 of the capacity run; "backlog done": until at most twice as long as the slowest of an ' +
          'idle hub',
        runs,
        columns: {
          capacity: { heading: 'capacity/s' },
          offered: { heading: 'offered/s' },
          accepted: { heading: 'accepted/s' },
          later: { heading: '503' },
          wrong: { heading: 'wrong' },
          unanswered: { heading: 'unanswered' },
          lost: { heading: 'lost jobs' },
          peak: { heading: 'peak MiB' },
          recovered: { heading: 'recovered s', digits: 1 },
          backlog: { heading: 'backlog done s', digits: 1 }
        },
        main: 'accepted'
      })
      report.hub('hub', await repeat(runs, () => measure(mode, environment, times, seconds)))
      await report.keep()
    }
  }
})

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  times: number,
  seconds: number
): Promise<Figures<Name>> {
  const hub = await openOneJobHub(mode, environment, noop)
  const [pid = Number.NaN] = hub.pids
  try {
    const connectionIds = await hub.connect(connections)
    await warmUp(hub, connectionIds)
    let succeeded = await countSucceeded(hub)
    const idleMs = await probe(hub, connectionIds, quietProbes)
    const { capacity, accepted: before, p99Ms } = await findCapacity(hub, connectionIds)
    succeeded += quietProbes + before
    await hub.waitForSucceeded(succeeded)

    const perSecond = times * capacity
    const requests = hub.prepare(connectionIds, Math.ceil(perSecond * seconds))
    resetPeak(pid)
    const answers = await offerLoad({ url: hub.url, requests, sockets, perSecond, longestMs })
    const { probes, calmAfter } = await watchRecovery(hub, connectionIds, { loaded: 2 * p99Ms, idle: 2 * idleMs })
    const peak = memoryOf(pid).peakBytes / mebibyte

    const accepted = answers.statuses.get(202) ?? 0
    succeeded += accepted + probes
    await hub.waitUntilIdle()
    const ended = await countSucceeded(hub)
    const wrong = [...answers.statuses].filter(([status]) => status !== 202 && status !== 503)
      .reduce((sum, [, count]) => sum + count, (answers.statuses.get(503) ?? 0) - answers.withRetryAfter)
    return {
      capacity,
      offered: requests.length / answers.sendingSeconds,
      accepted: accepted / answers.answeringSeconds,
      later: answers.withRetryAfter,
      wrong,
      unanswered: answers.unanswered,
      lost: succeeded - ended,
      peak,
      recovered: calmAfter.loaded,
      backlog: calmAfter.idle
    }
  } finally {
    await hub.close()
  }
}

/** As many webhooks as the hub accepts in three seconds, beside the jobs of those before. */
async function findCapacity (
  hub: OneJobHub,
  connectionIds: readonly string[]
): Promise<{ capacity: number, accepted: number, p99Ms: number }> {
  const requests = hub.prepare(connectionIds, 60_000)
  const load = { url: hub.url, requests, sockets: 50, pipelining: 1, seconds: capacitySeconds }
  const { accepted, seconds, p99Ms } = await sendLoad(load)
  return { capacity: accepted / seconds, accepted, p99Ms }
}

/** The longest that one of some webhooks took, sent one by one to an idle hub. */
async function probe (hub: OneJobHub, connectionIds: readonly string[], count: number): Promise<number> {
  const times: number[] = []
  for (const request of hub.prepare(connectionIds, count)) {
    times.push(await sendOne(hub, request))
    await wait(probeEveryMs)
  }
  return percentilesOf(times).longest
}

type Limit = 'loaded' | 'idle'

const limits: readonly Limit[] = ['loaded', 'idle']

/**
 * Sends single webhooks until some in a row keep both limits. Returns, for each limit, the seconds
 * until the first of such a row.
 */
async function watchRecovery (
  hub: OneJobHub,
  connectionIds: readonly string[],
  limitMs: Readonly<Record<Limit, number>>
): Promise<{ probes: number, calmAfter: Record<Limit, number> }> {
  const startedAt = performance.now()
  const rows = {
    loaded: { since: startedAt, length: 0 },
    idle: { since: startedAt, length: 0 }
  }
  let probes = 0
  for (; limits.some(limit => rows[limit].length < calmProbes); await wait(probeEveryMs)) {
    if (performance.now() - startedAt > longestMs) throw new Error('the hub did not recover')
    const [request = Buffer.of()] = hub.prepare(connectionIds, 1)
    probes += 1
    const tookMs = await sendOne(hub, request)
    for (const limit of limits) {
      const row = rows[limit]
      if (row.length >= calmProbes) continue
      if (tookMs <= limitMs[limit]) row.length += 1
      else rows[limit] = { since: performance.now(), length: 0 }
    }
  }
  const secondsOf = (limit: Limit): number => (rows[limit].since - startedAt) / 1_000
  return { probes, calmAfter: { loaded: secondsOf('loaded'), idle: secondsOf('idle') } }
}

async function sendOne (hub: OneJobHub, request: Buffer): Promise<number> {
  const startedAt = performance.now()
  const load = { url: hub.url, requests: [request], sockets: 1, pipelining: 1, seconds: longestMs / 1_000 }
  const { accepted } = await sendLoad(load)
  if (accepted !== 1) throw new Error('a single webhook was not accepted')
  return performance.now() - startedAt
}
