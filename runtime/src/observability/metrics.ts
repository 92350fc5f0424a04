import { Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import { Gauge, Registry } from 'prom-client'
import { createInstruments, type InstrumentsOptions, type Metrics } from './instruments.ts'
import { addProcessMetrics } from './process-metrics.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

/** The live jobs of all processes. */
export interface QueueFigures {
  queued: number
  waiting: number
  running: number
  oldestSeconds: number
}

export interface MetricsOptions extends Omit<InstrumentsOptions, 'register'> {
  /** Undefined while the database does not answer. */
  queueFigures: () => Promise<QueueFigures | undefined>
  /**
   * The bytes of each stream, or of the table that holds the streams, by name. A scrape calls this,
   * too.
   */
  streamSizes: () => Promise<ReadonlyMap<string, number>>
  /** Undefined while the database does not answer. */
  attentionCounts: () => Promise<ReadonlyMap<string, number> | undefined>
}

const Text = { description: 'The text format of Prometheus', content: { 'text/plain': { schema: Type.String() } } }

/**
 * Serves the figures for Prometheus at `GET /metrics`: slow and stuck work, and the adapter to
 * blame for it. Other plugins count with `app.metrics`. All figures but those of the queue are this
 * process's own.
 */
export default fp<MetricsOptions>(
  async (app, { platforms, jobTypes, adapterStates, queueFigures, streamSizes, attentionCounts }) => {
    const register = new Registry()
    addProcessMetrics(register)
    showQueue(register, queueFigures)
    showStreams(register, streamSizes)
    showAttention(register, attentionCounts)
    app.decorate('metrics', createInstruments({ register, platforms, jobTypes, adapterStates }))

    app.get('/metrics', {
      config: { scope: 'read' },
      schema: {
        tags: ['operation'],
        operationId: 'readMetrics',
        summary: 'Read the metrics for Prometheus',
        description: 'Prometheus text format. A scraper needs a token with the scope `read`.',
        response: { 200: Text }
      }
    }, async (_request, reply) => {
      const text = await register.metrics()
      return reply.type(register.contentType).send(text)
    })
  },
  { name: 'metrics', dependencies: ['authentication'] }
)

/**
 * Shows no figure while the database does not answer: a reader would take an old figure for a
 * current one.
 */
function showQueue (register: Registry, read: () => Promise<QueueFigures | undefined>): void {
  const jobs = new Gauge({
    registers: [register],
    name: 'linker_queue_jobs',
    help: 'Live jobs of all processes: queued, waiting (for a later time or for their connection) and running',
    labelNames: ['state'],
    async collect () {
      const figures = await read()
      jobs.reset()
      if (figures !== undefined) {
        for (const state of ['queued', 'waiting', 'running'] as const) jobs.set({ state }, figures[state])
      }
    }
  })
  const oldest = new Gauge({
    registers: [register],
    name: 'linker_queue_oldest_seconds',
    help: 'Time since the oldest queued job became due; 0 when none is queued',
    async collect () {
      const figures = await read()
      oldest.remove()
      if (figures !== undefined) oldest.set(figures.oldestSeconds)
    }
  })
}

function showStreams (register: Registry, read: () => Promise<ReadonlyMap<string, number>>): void {
  const bytes = new Gauge({
    registers: [register],
    name: 'linker_stream_bytes',
    help: 'Redis memory that a stream takes, or disk space that the table of the streams takes',
    labelNames: ['stream'],
    async collect () {
      bytes.reset()
      for (const [stream, size] of await read().catch(() => new Map<string, number>())) bytes.set({ stream }, size)
    }
  })
}

function showAttention (register: Registry, read: MetricsOptions['attentionCounts']): void {
  const items = new Gauge({
    registers: [register],
    name: 'linker_attention',
    help: 'Things that need a person, by kind, as GET /attention lists them; the same in every process',
    labelNames: ['kind'],
    async collect () {
      const counts = await read().catch(() => undefined)
      items.reset()
      for (const [kind, count] of counts ?? []) items.set({ kind }, count)
    }
  })
}
