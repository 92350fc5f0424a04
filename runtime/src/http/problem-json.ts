import { problemHeaders } from '@linker/sdk/host/routes'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isDiskFull } from '../database/infrastructure-error.ts'
import { NotFoundError } from '../errors.ts'
import { neededScope } from './authentication.ts'
import { createLogBudget } from './log-budget.ts'
import { toKnownError, toProblem, type KnownError } from './problem.ts'
import { responseHeaders } from './response-headers.ts'

const failuresPerSecond = 10

/**
 * Returns every error as `application/problem+json`. A failure of the hub, foreseen or not, is
 * logged here and nowhere else.
 */
export default fp<{ nowMs?: () => number }>(async (app, { nowMs = () => performance.now() }) => {
  const budget = createLogBudget({ perSecond: failuresPerSecond, nowMs })

  app.setErrorHandler((error, request, reply) => {
    const known = toKnownError(error, request.routeOptions.bodyLimit)
    if (known.statusCode >= 500) {
      // Limit the lines: while a server is away, every request fails for the same reason, and a
      // stranger may repeat a request that fails. Only an unforeseen failure of a request with a
      // token is always logged.
      const isForeseen = known.code !== 'LNK_INTERNAL' || neededScope(request) === undefined
      const { isAllowed, heldBack } = isForeseen ? budget.take(known.code) : { isAllowed: true, heldBack: 0 }
      if (isAllowed) {
        const reason = isDiskFull(error) ? ' because the disk is full' : ''
        request.log.error(
          { err: error, code: known.code, heldBack: heldBack || undefined },
          `a request failed${reason}`
        )
      }
    }
    return sendProblem(request, reply, known)
  })

  app.setNotFoundHandler((request, reply) => {
    const { code, message } = new NotFoundError(`No route ${request.method} ${request.originalUrl.split('?', 1)[0]}`)
    return sendProblem(request, reply, { code, message, statusCode: 404 })
  })
}, { name: 'problem-json' })

/**
 * Answers a request that Fastify refuses before it finds a route, for example an address with a
 * broken escape. Fastify runs no hook for it, so this sets the headers itself.
 */
export function answerFrameworkError (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(responseHeaders).header('x-request-id', request.id)
  sendProblem(request, reply, toKnownError(error, 0))
}

function sendProblem (request: FastifyRequest, reply: FastifyReply, known: KnownError): FastifyReply {
  for (const [name, value] of Object.entries(problemHeaders(known.statusCode))) {
    if (!reply.hasHeader(name)) reply.header(name, value)
  }
  reply.problemCode = known.code
  // Send a text: the schemas of a route's answers do not describe its problems.
  return reply.code(known.statusCode).type('application/problem+json').serializer(String)
    .send(JSON.stringify(toProblem(known, request.id)))
}
