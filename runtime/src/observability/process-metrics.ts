import { createRequire } from 'node:module'
import { constants, monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'

const load = createRequire(import.meta.url)
const ownCollectors: ReadonlySet<string> = new Set(['gc', 'eventLoopLag'])
const sampleMs = 10

const garbageKinds: ReadonlyMap<unknown, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb']
])

/**
 * prom-client's default metrics under their usual names, so that existing dashboards fit; answers
 * what stops them. Its own `collectDefaultMetrics` starts an observer and a sampler that nobody can
 * stop: each hub that a process makes would leave both behind.
 */
export function collectProcessMetrics (register: Registry): () => void {
  for (const name of collectDefaultMetrics.metricsList) {
    if (ownCollectors.has(name)) continue
    const collect = load(`prom-client/lib/metrics/${name}.js`) as (register: Registry) => void
    collect(register)
  }
  const stops = [observeGarbageCollection(register), sampleEventLoop(register)]
  return function stop () {
    for (const stopOne of stops) stopOne()
  }
}

function observeGarbageCollection (register: Registry): () => void {
  const duration = new Histogram({
    registers: [register],
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1, 2, 5]
  })
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      const { detail } = entry as PerformanceEntry & { detail?: { kind?: number } }
      duration.observe({ kind: garbageKinds.get(detail?.kind) ?? 'other' }, entry.duration / 1_000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    observer.disconnect()
  }
}

/** The delays between two scrapes. */
function sampleEventLoop (register: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: sampleMs })
  const figures: [string, string, () => number][] = [
    ['min', 'The minimum recorded event loop delay.', () => delays.min],
    ['max', 'The maximum recorded event loop delay.', () => delays.max],
    ['mean', 'The mean of the recorded event loop delays.', () => delays.mean],
    ['stddev', 'The standard deviation of the recorded event loop delays.', () => delays.stddev],
    ...[50, 90, 99].map((percentile): [string, string, () => number] => [
      `p${percentile}`,
      `The ${percentile}th percentile of the recorded event loop delays.`,
      () => delays.percentile(percentile)
    ])
  ]
  const gauges = figures.map(([name, help, read]) => ({
    read,
    gauge: new Gauge({ registers: [register], name: `nodejs_eventloop_lag_${name}_seconds`, help })
  }))
  const lag = new Gauge({
    registers: [register],
    name: 'nodejs_eventloop_lag_seconds',
    help: 'Lag of event loop in seconds.',
    async collect () {
      for (const { gauge, read } of gauges) gauge.set(delays.count === 0 ? 0 : read() / 1e9)
      delays.reset()
      const startedAt = performance.now()
      await new Promise(setImmediate)
      lag.set((performance.now() - startedAt) / 1_000)
    }
  })
  delays.enable()
  return () => {
    delays.disable()
  }
}
