import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { neededScope } from './authentication.ts'
import { createLogBudget } from './log-budget.ts'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Whether anybody may have caused the answer without a secret, although the request looks like
     * an accepted webhook. A route sets it.
     */
    isForAnybody: boolean
    /** The code of the problem that the answer is; empty for every other answer. */
    problemCode: string
  }
  interface FastifyContextConfig {
    /**
     * Gives the path that the log shows for a request. A route sets it when the requested path may
     * hold a secret.
     */
    loggedPath?: (request: FastifyRequest) => string | undefined
  }
}

const sampledWebhooks = 100
const linesPerSecond = 20

/**
 * Sends the request id back and logs one line per request, without its query. It logs one in a
 * hundred accepted webhooks. Requests that anybody can send without a secret get at most 20 lines a
 * second for each status.
 */
export default fp<{ nowMs?: () => number }>(async (app, { nowMs = () => performance.now() }) => {
  const budget = createLogBudget({ perSecond: linesPerSecond, nowMs })
  let accepted = 0

  app.decorateReply('isForAnybody', false)
  app.decorateReply('problemCode', '')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    if (isAcceptedWebhook(request, reply)) {
      accepted += 1
      if (accepted % sampledWebhooks === 1) request.log.info({ ...describe(request, reply), accepted }, 'request')
    } else {
      const { isAllowed, heldBack } = isOpenToAnybody(request)
        ? budget.take(String(reply.statusCode))
        : { isAllowed: true, heldBack: 0 }
      if (isAllowed) {
        request.log.info({ ...describe(request, reply), heldBack: heldBack || undefined }, 'request')
      }
    }
    done()
  })
}, { name: 'access-log' })

function isAcceptedWebhook (request: FastifyRequest, reply: FastifyReply): boolean {
  const { url = '', config } = request.routeOptions
  // The adapter may declare another status than 202.
  const isWebhook = config.scope === 'webhook' && request.method === 'POST' && !url.endsWith('/test')
  return isWebhook && reply.statusCode < 300 && !reply.isForAnybody
}

function isOpenToAnybody (request: FastifyRequest): boolean {
  return neededScope(request) === undefined || request.caller === null
}

function describe (request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    path: request.routeOptions.config.loggedPath?.(request) ?? request.originalUrl.split('?', 1)[0],
    status: reply.statusCode,
    code: reply.problemCode || undefined,
    durationMs: Math.round(reply.elapsedTime * 10) / 10
  }
}
