import fastify, { type FastifyRequest } from 'fastify'
import { createFaults } from './faults.ts'
import { createLatency } from './latency.ts'
import { createRequestLog, type LoggedRequest } from './request-log.ts'
import { buildValidator } from './validators.ts'

export interface ServerOptions {
  now: () => Date
  random: () => number
  /** Called when a request has arrived whole, before latency and faults delay it. */
  onArrival?: (request: FastifyRequest) => void
  /** Called when the answer to a request is about to be sent or lost. */
  onAnswered?: (request: FastifyRequest) => void
}

/**
 * Makes a Fastify server on 127.0.0.1 that logs requests, delays them and injects faults. Add
 * routes to `app` before `listen`.
 */
export function createServer ({ now, random, onArrival, onAnswered }: ServerOptions) {
  const closing = new AbortController()
  const app = fastify({
    forceCloseConnections: true,
    // Keys of up to 1023 characters arrive percent-encoded; the router's own limit is 100.
    routerOptions: { maxParamLength: 12_288 },
    // Fastify's defaults would drop unknown members and convert types; the platforms answer 400.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
    schemaController: { compilersFactory: { buildValidator } }
  })
  const { log, record, settle } = createRequestLog(now)
  const { faults, beforeHandling, onAnswer } = createFaults(closing.signal, random)
  const latency = createLatency(random, closing.signal)
  const logged = new WeakMap<FastifyRequest, { entry: LoggedRequest, startedAt: number }>()

  app.addHook('onRequest', async request => {
    logged.set(request, { entry: record(request), startedAt: performance.now() })
  })
  app.addHook('preValidation', async request => {
    const found = logged.get(request)
    if (found !== undefined && request.body !== undefined) found.entry.body = request.body
  })
  app.addHook('preValidation', async request => {
    onArrival?.(request)
  })
  app.addHook('preValidation', latency.wait)
  app.addHook('preValidation', beforeHandling)
  app.addHook('onSend', async (request, reply, payload) => onAnswer(request, reply, payload))
  app.addHook('onSend', async (request, reply) => {
    const found = logged.get(request)
    onAnswered?.(request)
    if (found === undefined) return
    const durationMs = performance.now() - found.startedAt
    settle(found.entry, durationMs, request.raw.socket.destroyed ? undefined : reply.statusCode)
  })

  async function close (): Promise<void> {
    closing.abort()
    await app.close()
  }

  return {
    app,
    requests: log,
    faults,
    setLatency: latency.set,
    listen: (port: number) => app.listen({ host: '127.0.0.1', port }),
    close
  }
}
