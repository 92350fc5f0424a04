import type { Test } from 'tap'
import type { Metrics } from '../../src/observability/instruments.ts'
import metrics, { type MetricsOptions } from '../../src/observability/metrics.ts'
import { authorized, buildHttpApp } from '../http/support.ts'

export interface MetricsApp {
  metrics: Metrics
  /** Returns the text that Prometheus would read. */
  scrape(): Promise<string>
  close(): Promise<void>
}

export const figures = { queued: 3, waiting: 2, running: 1, oldestSeconds: 42.5 }

/**
 * Makes a server with metrics. Its queue has `figures` unless the test gives others. Closes it at
 * the end of the test.
 */
export async function buildMetricsApp (t: Test, options: Partial<MetricsOptions> = {}): Promise<MetricsApp> {
  const made = Promise.withResolvers<Metrics>()
  const { app } = await buildHttpApp(t, {
    async routes (scope) {
      await scope.register(metrics, {
        adapterStates: () => [],
        platforms: () => ['shopa', 'mktb'],
        jobTypes: () => ['shopa.stock.refresh'],
        queueFigures: async () => figures,
        streamSizes: async () => new Map(),
        attentionCounts: async () => undefined,
        ...options
      })
      made.resolve(scope.metrics)
    }
  })
  await app.ready()
  return {
    metrics: await made.promise,
    async scrape () {
      const response = await app.inject({ url: '/metrics', headers: authorized })
      if (response.statusCode !== 200) {
        throw new Error(`the scrape was answered ${response.statusCode}: ${response.payload}`)
      }
      return response.payload
    },
    close: () => app.close()
  }
}

/** Returns the values of one series by label set: `name{a="b"} 1` becomes `{ 'a="b"': 1 }`. */
export function seriesOf (text: string, name: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}
