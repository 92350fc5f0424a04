import { collectDefaultMetrics, Registry } from 'prom-client'

let ofProcess: Registry | undefined

/**
 * Adds prom-client's default metrics under their usual names, so that existing dashboards fit.
 *
 * They are collected once in a process, however many hubs it makes: `collectDefaultMetrics` starts
 * an observer of garbage collections and a sampler of the event loop that nobody can stop.
 */
export function addProcessMetrics (register: Registry): void {
  if (ofProcess === undefined) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  for (const { name } of ofProcess.getMetricsAsArray()) {
    const metric = ofProcess.getSingleMetric(name)
    if (metric !== undefined) register.registerMetric(metric)
  }
}
