import { PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collectDefaultMetrics, Registry } from 'prom-client'
import t from 'tap'
import { addProcessMetrics } from '../../src/observability/process-metrics.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Collects garbage and waits until observers have heard of it. */
async function collectAndReport (): Promise<void> {
  let isHeard = false
  const observer = new PerformanceObserver(() => {
    isHeard = true
  })
  observer.observe({ entryTypes: ['gc'] })
  collectGarbage()
  // Observers alone do not keep the process alive.
  while (!isHeard) await new Promise(setImmediate)
  observer.disconnect()
}

async function collections (register: Registry): Promise<number> {
  const text = await register.getSingleMetricAsString('nodejs_gc_duration_seconds')
  return [...text.matchAll(/_count\{.*\} (\d+)$/gm)].reduce((sum, match) => sum + Number(match[1]), 0)
}

t.test('the figures are those of prom-client, under the same names', async t => {
  const [ours, theirs] = [new Registry(), new Registry()]
  addProcessMetrics(ours)
  collectDefaultMetrics({ register: theirs })
  const describe = (register: Registry) =>
    register.getMetricsAsArray().map(({ name, help }) => `${name}: ${help}`).toSorted()

  t.strictSame(describe(ours), describe(theirs))
})

t.test('all hubs of a process show the same figures, and nothing is observed twice', async t => {
  const [first, second] = [new Registry(), new Registry()]
  addProcessMetrics(first)
  addProcessMetrics(second)
  await collectAndReport()

  const seen = await collections(first)
  t.ok(seen > 0)
  t.equal(await collections(second), seen)
})

t.test('the delays of the event loop are those since the last scrape', async t => {
  const register = new Registry()
  addProcessMetrics(register)
  const maximum = async (): Promise<number> => {
    await register.getSingleMetricAsString('nodejs_eventloop_lag_seconds')
    return Number(/ (\S+)$/.exec(await register.getSingleMetricAsString('nodejs_eventloop_lag_max_seconds'))?.[1])
  }
  const later = (): Promise<void> =>
    new Promise(resolve => {
      setTimeout(resolve, 50)
    })
  await later()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  await later()

  t.ok(await maximum() >= 0.4, 'the thread was held for 0.5 s')
  // Look more than once: a busy machine may hold the thread as well.
  let next = await maximum()
  while (next >= 0.4) {
    await later()
    next = await maximum()
  }
  t.ok(Number.isFinite(next), `then it was not: ${next}`)
})
