import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { createHash, randomUUID } from 'node:crypto'
import { cleanRegularly } from '../database/clean-regularly.ts'
import type { Query } from '../database/database.ts'
import { IdempotencyKeyReusedError, IdempotencyKeyRunningError } from '../errors.ts'
import { visiblePattern } from '../text-patterns.ts'
import {
  endLease,
  readKey,
  releaseKey,
  removeExpiredKeys,
  storeAnswer,
  takeKey,
  type Answer,
  type Claim
} from './store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route takes an `Idempotency-Key`. Its handler must do one thing for one `operationId`,
     * however often it runs.
     */
    idempotent?: boolean
  }
  interface FastifyRequest {
    /**
     * Identifies the work that the request asks for. Each repetition with the same Idempotency-Key
     * gets the same id, even after this process died half-way.
     */
    operationId: string
    idempotencyClaim: Claim | null
  }
}

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({
    maxLength: 255,
    pattern: visiblePattern,
    description:
      'Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer ' +
      'to the first one'
  }))
})

const keptMs = 24 * 3_600_000
// A request that takes longer has lost its process: the next repetition does the work again, under
// the same operation id.
const leaseMs = 60_000
const cleaningIntervalMs = 3_600_000
const mostInOneStatement = 1_000
const mostTries = 5
const retryAfterSeconds = '1'
const keptHeaders = ['content-type', 'location', 'etag']

/**
 *     first request ──▶ claimed ──answered 2xx──▶ kept 24 h: repetitions get the same answer
 *                          │  ├──answered 4xx──▶ forgotten: nothing was done
 *                          │  └──answered 5xx──▶ free at once: a repetition does the same again
 *                          └── under way: a repetition gets 409
 */
export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { query } = app.database

  async function begin (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    request.operationId = randomUUID()
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return undefined
    const found = await claim(
      query,
      { route: `${request.method} ${request.routeOptions.url}`, key, operationId: request.operationId },
      hashOf(request),
      now()
    )
    if (found === undefined) {
      reply.header('retry-after', retryAfterSeconds)
      throw new IdempotencyKeyRunningError()
    }
    if ('status' in found) {
      return reply.code(found.status).headers(found.headers).header('idempotency-replayed', 'true').serializer(String)
        .send(found.body)
    }
    request.idempotencyClaim = found
    request.operationId = found.operationId
    return undefined
  }

  async function end (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { idempotencyClaim } = request
    if (idempotencyClaim === null) return payload
    try {
      if (reply.statusCode >= 500) await endLease(query, idempotencyClaim, now())
      else if (reply.statusCode >= 300) await releaseKey(query, idempotencyClaim)
      else {
        await storeAnswer(query, idempotencyClaim, {
          status: reply.statusCode,
          headers: headersOf(reply),
          body: typeof payload === 'string' ? payload : ''
        })
      }
    } catch (error) {
      // The work is done. A repetition after the lease runs the handler again, and the handler
      // finds the work done.
      request.log.warn({ err: error }, 'storing the answer for an Idempotency-Key failed')
    }
    return payload
  }

  app.decorateRequest('operationId', '')
  app.decorateRequest('idempotencyClaim', null)
  app.addHook('onRoute', route => {
    if (route.config?.idempotent !== true) return
    route.preHandler = [...[route.preHandler ?? []].flat(), begin]
    route.onSend = [...[route.onSend ?? []].flat(), end]
  })

  cleanRegularly(app, {
    clean: signal => removeExpired(query, now(), signal),
    everyMs: cleaningIntervalMs,
    work: 'removing old idempotency keys',
    log: app.log
  })
}, { name: 'idempotency', dependencies: ['database'] })

/**
 * Takes the key for this request, or returns the answer that the first request with the key got.
 * Returns undefined while the first request still runs.
 */
async function claim (query: Query, wanted: Claim, bodyHash: string, now: Date): Promise<Claim | Answer | undefined> {
  for (let tries = 0; tries < mostTries; tries++) {
    const operationId = await takeKey(query, wanted, {
      bodyHash,
      leaseUntil: new Date(now.getTime() + leaseMs),
      expiresAt: new Date(now.getTime() + keptMs),
      now
    })
    if (operationId !== undefined) return { ...wanted, operationId }
    const row = await readKey(query, wanted)
    if (row === undefined) continue
    if (row.bodyHash !== bodyHash) throw new IdempotencyKeyReusedError()
    return row.status === null ? undefined : { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' }
  }
  return undefined
}

async function removeExpired (query: Query, now: Date, signal: AbortSignal): Promise<void> {
  for (let removed = mostInOneStatement; removed === mostInOneStatement && !signal.aborted;) {
    removed = await removeExpiredKeys(query, now, mostInOneStatement)
  }
}

function hashOf ({ params, query, body }: FastifyRequest): string {
  return createHash('sha256').update(JSON.stringify([params, query, body])).digest('hex')
}

function headersOf (reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(keptHeaders.flatMap(name => {
    const value = reply.getHeader(name)
    return value === undefined ? [] : [[name, String(value)]]
  }))
}
