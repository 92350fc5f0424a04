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

type Name = 'capacity' | 'offered' | 'accepted' | 'later' | 'wrong' | 'unanswered' | 'peak' | 'recovered' | 'lost'

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
          'long as the slowest before',
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
          recovered: { heading: 'recovered s', digits: 1 }
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
    const usualMs = await probe(hub, connectionIds, quietProbes)
    const { capacity, accepted: before } = await findCapacity(hub, connectionIds)
    succeeded += quietProbes + before
    await hub.waitForSucceeded(succeeded)

    const perSecond = times * capacity
    const requests = hub.prepare(connectionIds, Math.ceil(perSecond * seconds))
    resetPeak(pid)
    const answers = await offerLoad({ url: hub.url, requests, sockets, perSecond, longestMs })
    const recovered = await recover(hub, connectionIds, usualMs)
    const peak = memoryOf(pid).peakBytes / mebibyte

    const accepted = answers.statuses.get(202) ?? 0
    succeeded += accepted + recovered.probes
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
      recovered: recovered.seconds
    }
  } finally {
    await hub.close()
  }
}

/** As many webhooks as the hub accepts in three seconds. */
async function findCapacity (
  hub: OneJobHub,
  connectionIds: readonly string[]
): Promise<{ capacity: number, accepted: number }> {
  const requests = hub.prepare(connectionIds, 60_000)
  const load = { url: hub.url, requests, sockets: 50, pipelining: 1, seconds: capacitySeconds }
  const { accepted, seconds } = await sendLoad(load)
  return { capacity: accepted / seconds, accepted }
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

/** Waits until some webhooks in a row take at most twice as long as usual. */
async function recover (
  hub: OneJobHub,
  connectionIds: readonly string[],
  usualMs: number
): Promise<{ seconds: number, probes: number }> {
  const startedAt = performance.now()
  let [calmSince, calm, probes] = [startedAt, 0, 0]
  while (calm < calmProbes) {
    if (performance.now() - startedAt > longestMs) throw new Error('the hub did not recover')
    const [request = Buffer.of()] = hub.prepare(connectionIds, 1)
    probes += 1
    if (await sendOne(hub, request) <= 2 * usualMs) calm += 1
    else [calm, calmSince] = [0, performance.now()]
    await wait(probeEveryMs)
  }
  return { seconds: (calmSince - startedAt) / 1_000, probes }
}

async function sendOne (hub: OneJobHub, request: Buffer): Promise<number> {
  const startedAt = performance.now()
  const load = { url: hub.url, requests: [request], sockets: 1, pipelining: 1, seconds: longestMs / 1_000 }
  const { accepted } = await sendLoad(load)
  if (accepted !== 1) throw new Error('a single webhook was not accepted')
  return performance.now() - startedAt
}
