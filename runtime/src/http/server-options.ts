import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { answerClientError } from './client-error.ts'
import { answerFrameworkError } from './problem-json.ts'
import { buildSerializer, buildValidator } from './compilers.ts'

const requestIdPattern = /^[A-Za-z0-9._:-]{1,128}$/

/**
 * The id that the client sent, when it is one that cannot break a log line or a header; else a new
 * one.
 */
export function requestIdOf (request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
}

/** Every path works at `/` and under `/v1` (specification, section 9): senders have stored both. */
export function withoutVersionPrefix (request: Pick<IncomingMessage, 'url'>): string {
  const url = request.url ?? '/'
  if (!/^\/v1(?:[/?]|$)/.test(url)) return url
  const rest = url.slice(3)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Most sockets of one process: `server.maxConnections`. Above it a new one is closed at once. */
export const mostSockets = 10_000

/**
 * How the server is made. Slow headers and bodies are cut: Fastify's default for `requestTimeout`
 * switches Node's guard off.
 */
export const serverOptions = {
  bodyLimit: 1_048_576,
  // Adapters that hang while they load have limits of their own, and a database may take long to
  // come up.
  pluginTimeout: 180_000,
  requestTimeout: 15_000,
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  // Node looks for slow ones every 30 s by default, so they would live three times as long as they
  // may.
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
