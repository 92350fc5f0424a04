import { Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import pTimeout from 'p-timeout'
import { whyNoWrites } from '../database/infrastructure-error.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readiness: Readiness
  }
}

export interface Readiness {
  /**
   * Makes `/readyz` answer 503 and makes every answer the last one on its connection, while all
   * routes still work.
   */
  turnRed(): void
  /** `turnRed` aborts this signal: a request that waits for something then answers at once. */
  stopping: AbortSignal
}

const Check = Type.Object({
  name: Type.String(),
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded'), Type.Literal('failed')]),
  message: Type.Optional(Type.String())
})
type Check = { name: string, status: 'ok' | 'degraded' | 'failed', message?: string }

const Health = Type.Object({ status: Type.String(), checks: Type.Optional(Type.Array(Check)) })

const pingTimeoutMs = 2_000
const silent = { database: 'the database does not answer', streams: 'the streams do not answer' } as const

/**
 * `/healthz` says that the process runs. It stays green while a server is away, because a restart
 * would not bring the server back. `/readyz` says whether to send requests here: it is red while a
 * server is away or takes no writes, or the hub stops. A failing adapter does not change it.
 */
export default fp(async app => {
  const stop = new AbortController()
  const stopping = stop.signal
  const turnRed = (): void => {
    stop.abort()
  }
  app.decorate('readiness', { turnRed, stopping })
  app.addHook('preClose', async () => {
    turnRed()
  })
  app.addHook('onRequest', (_request, reply, done) => {
    // A client that keeps its connection would not look for another process, and its requests would
    // fail when this one ends.
    if (stopping.aborted) reply.header('connection', 'close')
    done()
  })

  async function check (name: keyof typeof silent, ping: () => Promise<void>): Promise<Check> {
    try {
      await pTimeout(ping(), { milliseconds: pingTimeoutMs })
      return { name, status: 'ok' }
    } catch (error) {
      const reason = whyNoWrites(error)
      return {
        name,
        status: 'failed',
        message: reason === undefined ? silent[name] : `the ${name} cannot write: ${reason}`
      }
    }
  }

  async function readiness (): Promise<Check[]> {
    if (stopping.aborted) return [{ name: 'process', status: 'failed', message: 'the hub is stopping' }]
    const checks = await Promise.all([
      check('database', () => app.database.ping()),
      check('streams', () => app.streams.ping())
    ])
    if (checks.some(item => item.status === 'failed')) return checks
    const warnings = await app.streams.inspect()
    return [...checks, ...warnings.map(({ message }): Check => ({ name: 'streams', status: 'degraded', message }))]
  }

  const open = { scope: 'public' as const }
  app.get('/healthz', {
    config: open,
    schema: {
      tags: ['operation'],
      operationId: 'checkHealth',
      summary: 'Check that the process is alive',
      description: 'For liveness probes. Answers 200 as long as the process runs, also while the database is away.',
      response: { 200: Health }
    }
  }, async () => ({ status: 'ok' }))

  app.get('/readyz', {
    config: open,
    schema: {
      tags: ['operation'],
      operationId: 'checkReadiness',
      summary: 'Check that the hub accepts requests',
      description:
        'For readiness probes and load balancers. Answers 503 while a part that the hub needs is away or takes no ' +
        'writes, or while the hub stops, and names the part. Whether the server of the streams (Redis, or ' +
        'PostgreSQL without `REDIS_URL`) takes writes, the hub knows from the last event that it stored, or from a ' +
        'small write of its own if that was more than 10 s ago. With `REDIS_URL` the hub writes to Redis only: of ' +
        'PostgreSQL it then sees whether it answers and is read-only, but not whether its disk is full. The probe ' +
        'itself writes nothing.',
      response: { 200: Health, 503: Health }
    }
  }, async (_request, reply) => {
    const checks = await readiness()
    const worst = checks.some(item => item.status === 'failed')
      ? 'failed'
      : checks.some(item => item.status === 'degraded')
      ? 'degraded'
      : 'ok'
    return reply.code(worst === 'failed' ? 503 : 200).send({ status: worst, checks })
  })
}, { name: 'health', dependencies: ['database', 'streams'] })
