import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { answerClientError } from './client-error.ts'
import { buildSerializer, buildValidator } from './compilers.ts'
import { answerFrameworkError } from './problem-json.ts'
import { withoutVersionPrefix } from './version-prefix.ts'

const requestIdPattern = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns the client's request id when it cannot break a log line or a header, else a new id. */
export function requestIdOf (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
}

/**
 * The most sockets that one process has open (`server.maxConnections`). Node closes any further
 * socket at once.
 */
export const mostSockets = 10_000

/**
 * The options of the server. They cut off slow headers and bodies: Fastify's default for
 * `requestTimeout` switches Node's guard off.
 */
export const serverOptions = {
  bodyLimit: 1_048_576,
  // Wait long for plugins: a database may take long to come up, and an adapter that hangs while it
  // loads has its own limit.
  pluginTimeout: 180_000,
  requestTimeout: 15_000,
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  // By default Node looks for slow requests every 30 s, so they would live much longer than the
  // time-outs allow.
  http: { headersTimeout: 10_000, maxHeaderSize: 16_384, connectionsCheckingInterval: 2_000 },
  genReqId: requestIdOf,
  requestIdHeader: false,
  rewriteUrl: withoutVersionPrefix,
  forceCloseConnections: 'idle',
  onProtoPoisoning: 'error',
  onConstructorPoisoning: 'error',
  routerOptions: { maxParamLength: 1_100, ignoreTrailingSlash: false },
  clientErrorHandler: answerClientError,
  frameworkErrors: answerFrameworkError,
  schemaController: { compilersFactory: { buildValidator, buildSerializer } }
} as const
