import type { RouteProblem, RouteRequest } from '@linker/sdk'
import { readAnswer, withheldHeaders, type SendableAnswer } from '@linker/sdk/host/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { toRouteFailure } from '../adapters/adapter-failure.ts'
import { nameOf, type LoadedAdapter } from '../adapters/load.ts'
import { nameRoute } from '../audit/actor.ts'
import type { Connection } from '../connections/entity.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import {
  AdapterBusyError,
  AdapterTimeoutError,
  ConnectionInErrorError,
  ConnectionNotFoundException
} from '../errors.ts'
import { tokenScopes, type Scope } from '../http/authentication.ts'
import type { Additions } from '../http/description/document.ts'
import { toKnownError } from '../http/problem.ts'
import { allowPage } from '../http/response-headers.ts'
import { isUuid } from '../text-patterns.ts'
import { createAuthorisationReturns } from './authorisation-returns.ts'
import { createRawBodies } from './raw-body.ts'
import { describeRoutes } from './route-documents.ts'
import { createRouteTable, type AdapterRoute, type FoundRoute, type Reach, type RouteTable } from './route-table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    adapterRoutes: AdapterRoutes
  }
}

export interface AdapterRoutes {
  /** Makes the next request reach the adapters that the registry has now. */
  refresh(): void
  /** Describes the routes of adapters for OpenAPI: returns the same object until `refresh`. */
  describe(): Additions
}

interface Address {
  Params: { platformType: string, '*': string }
}

export interface RouteLimits {
  timeoutMs: number
  /**
   * The most requests that one adapter version may have under way in this process. Without a limit
   * they pile up while a platform hangs.
   */
  mostAtOnce: number
}

const defaultLimits: RouteLimits = { timeoutMs: 30_000, mostAtOnce: 100 }

/**
 * Serves the routes of adapters below `/integrations/{platformType}`: one catch-all route, and a
 * table that tells which route of an adapter a request reaches.
 */
/** A request that found its route and waits for its connection. */
interface Waiting {
  before: FoundRoute
  /** Finds the route again, in the load that serves now. */
  findServing(connection: Connection | undefined): FoundRoute | undefined
  connection: Connection | undefined
  request: FastifyRequest
  reply: FastifyReply
}

export default fp<{ now: () => Date, limits?: RouteLimits }>(async (app, { now, limits = defaultLimits }) => {
  let table = readTable()
  let described: Additions | undefined
  const call = createCall(app, now, limits)
  const rawBodies = createRawBodies()
  const returns = createAuthorisationReturns(app.database.query)

  function readTable (): RouteTable {
    const made = createRouteTable(app.adapters.registry)
    for (const route of made.refused) app.log.warn(route, 'the hub does not serve a route of an adapter')
    return made
  }

  const reachOf = ({ params, method, url }: FastifyRequest): Reach =>
    table.find({ platformType: (params as Address['Params']).platformType, method, url })

  app.decorate('adapterRoutes', {
    refresh () {
      table = readTable()
      described = undefined
    },
    describe: () => described ??= describeRoutes(table.routes)
  })

  app.route<Address>({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/integrations/:platformType/*',
    config: {
      scope: request => lowestScope(reachOf(request)),
      loggedPath: request => pathOf(reachOf(request), request.caller !== null)
    },
    schema: { hide: true },
    // Not async: the parser must listen when the body begins to flow.
    preParsing (request, _reply, payload, done) {
      const isWanted = reachOf(request).candidates.some(({ route }) => route.description.rawBody === true)
      if (isWanted) rawBodies.keep(request, payload)
      done(null, payload)
    },
    async handler (request, reply) {
      const { connectionId, candidates } = reachOf(request)
      const findServing = (connection: Connection | undefined): FoundRoute | undefined => {
        const now = reachOf(request).candidates
        if (connection === undefined) return now[0]
        const adapter = app.connections.adapterOf(connection)
        return now.find(({ route }) => route.adapter === adapter)
      }
      if (candidates.length === 0) return reply.callNotFound()
      const connection = connectionId === undefined
        ? undefined
        : await findConnection(app, request.params.platformType, connectionId)
      const before = findServing(connection)
      if (before === undefined) return reply.callNotFound()
      // Check the token again: perhaps only another version needs so little, and the table may have
      // changed since the request came.
      const { auth } = before.route.description
      if (auth !== 'public') await app.authenticate(request, reply, auth)
      nameRoute(before.route.path, connectionId)
      const serve = () => answer({ before, findServing, connection, request, reply })
      const pending = await returns.find(before.route, request.query)
      if (pending?.location !== undefined) return redirect(reply, pending.location)
      if (pending === undefined) {
        const ended = await serve()
        return ended === undefined ? reply.callNotFound() : sendAnswer(reply, ended)
      }
      try {
        const ended = await serve()
        if (ended === undefined) return reply.callNotFound()
        const location = await pending.locationOf(ended)
        return location === undefined ? sendAnswer(reply, ended) : redirect(reply, location)
      } catch (error) {
        const { code, message, statusCode } = toKnownError(error, request.routeOptions.bodyLimit)
        if (statusCode >= 500) request.log.error({ err: error, code }, 'an authorisation failed')
        reply.problemCode = code
        return redirect(reply.removeHeader('retry-after'), await pending.locationOfFailure({ code, message }))
      }
    }
  })

  /** Returns undefined when the route is no longer there. */
  async function answer ({ before, findServing, connection, request, reply }: Waiting): Promise<
    SendableAnswer | undefined
  > {
    const opened = connection === undefined ? {} : await openFor(app, before.route, connection)
    // Another load may serve since, and the one before takes no calls any more: await nothing from
    // here to the call. A load that asks for other rights needs another request.
    const found = findServing(connection)
    if (found === undefined || found.route.description.auth !== before.route.description.auth) return undefined
    const { params, route } = found
    const { body, page } = returns.take(route, request.body)
    const given = { params, query: request.query, body }
    const target = { kind: 'route', index: route.index } as const
    const input = app.adapters.host.runCheck(nameOf(route.adapter), target, given, () => route.checkInput(given))
    const answered = await call(route, opened, {
      method: route.description.method,
      ...input,
      headers: headersOf(request),
      ...(route.description.rawBody === true ? { rawBody: rawBodies.of(request) } : {}),
      requestId: request.id
    }, reply)
    if (page !== undefined) await returns.remember(route, page, answered)
    return answered
  }
}, {
  name: 'adapter-routes',
  dependencies: ['adapters', 'connections', 'credentials', 'database', 'webhook-connections', 'authentication']
})

/**
 * The least that some version of a path needs. An unknown path needs a token, so that a stranger
 * cannot learn which paths exist.
 */
function lowestScope ({ candidates }: Reach): Scope {
  const declared = new Set<Scope>(candidates.map(({ route }) => route.description.auth))
  return (['public', ...tokenScopes] as const).find(scope => declared.has(scope)) ?? 'read'
}

/**
 * The path for the access log. An open route is logged as it was declared: the requested path may
 * hold a token.
 */
function pathOf ({ connectionId, candidates }: Reach, hasToken: boolean): string | undefined {
  const open = candidates.find(({ route: { description } }) => description.auth === 'public')
  if (open === undefined && hasToken) return undefined
  const { route } = open ?? candidates[0] ?? {}
  // A mistyped address of an open route may hold a token, too.
  if (route === undefined) return '/integrations/*'
  return connectionId === undefined ? route.path : route.path.replace(`:${route.connectionParameter}`, connectionId)
}

async function findConnection (
  app: FastifyInstance,
  platformType: string,
  connectionId: string
): Promise<Connection> {
  // Look into memory first: a flood of made-up ids on an open route must not take the database from
  // everybody else.
  const known = isUuid(connectionId) ? await app.webhookConnections.find(connectionId.toLowerCase()) : null
  // Every reason gets the same text, which the specification gives (section 7.3).
  if (known?.platformType !== platformType) {
    throw Object.assign(new ConnectionNotFoundException(connectionId), { message: 'Connection not found' })
  }
  return app.connections.get(known.id)
}

/** The connection that a route is called for, or the reason why there is none to use. */
interface Opened {
  opened?: OpenConnection | undefined
  problem?: RouteProblem | undefined
}

async function openFor (
  { connections }: FastifyInstance,
  { description }: AdapterRoute,
  connection: Connection
): Promise<Opened> {
  try {
    if (description.servesUnusable === true) refuseFailed(connection)
    if (description.readsHubOnly !== true) refusePaused(connection)
    return { opened: await connections.openEnabled(connection) }
  } catch (error) {
    if (description.servesUnusable !== true || !isForeseen(error)) throw error
    return { problem: { code: error.code, message: error.message } }
  }
}

/** Only routes that tell what is wrong are not called: others may find that it works again. */
function refuseFailed ({ status, statusReason }: Connection): void {
  if (status === 'error') throw new ConnectionInErrorError(statusReason ?? 'the platform refused its credentials')
}

/**
 * Whether an error has a code of the hub's error table. A driver's error about a silent database
 * has no such code.
 */
function isForeseen (error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('LNK_')
}

type Call = (
  route: AdapterRoute,
  opened: Opened,
  request: RouteRequest,
  reply: FastifyReply
) => Promise<SendableAnswer>

/** Makes the function that calls the adapter of a route. */
function createCall ({ adapters }: FastifyInstance, now: () => Date, { timeoutMs, mostAtOnce }: RouteLimits): Call {
  const underWay = new WeakMap<LoadedAdapter, number>()

  return async function call ({ adapter, index, description }, { opened, problem }, request, reply) {
    const name = nameOf(adapter)
    const others = underWay.get(adapter) ?? 0
    if (others >= mostAtOnce) throw new AdapterBusyError(name)
    underWay.set(adapter, others + 1)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const answered = await adapters.call(
        adapter,
        opened?.snapshot,
        { kind: 'route', index, problem },
        [request],
        {
          // A browser may load a public page twice, for example at the end of an authorisation. The
          // second request needs the work that the first one began. So the work goes on when the
          // first client disconnects.
          signal: description.auth === 'public' ? timeout : AbortSignal.any([timeout, abortedByClient(reply)]),
          deadline: now().getTime() + timeoutMs,
          requestId: request.requestId
        }
      )
      return readAnswer(answered, adapter.manifest.platformType)
    } catch (error) {
      if (timeout.aborted) throw new AdapterTimeoutError(name, timeoutMs)
      const { error: failure, retryAfterSeconds } = toRouteFailure(error, name)
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
      throw failure
    } finally {
      underWay.set(adapter, (underWay.get(adapter) ?? 1) - 1)
    }
  }
}

/** Replaces Fastify's `request.signal`, which aborts as soon as a body has been read. */
function abortedByClient (reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    controller.abort(new Error('the client went away'))
  })
  return controller.signal
}

function sendAnswer (reply: FastifyReply, { status, headers, body }: SendableAnswer): FastifyReply {
  allowPage(reply.code(status)).headers({ ...headers })
  if (body === undefined) return reply.send()
  return reply.type(headers['content-type'] ?? 'application/json; charset=utf-8').serializer(String).send(body)
}

/** 303: the browser asks for the page with GET, and a reload does not repeat the callback. */
function redirect (reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).header('location', location).send()
}

function headersOf ({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    return value === undefined || withheldHeaders.has(name)
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]]
  }))
}
