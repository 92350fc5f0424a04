import { isAdapterError, RejectedError, type AdapterError } from '../errors.ts'
import type { CallTarget } from '../host/carrier.ts'
import type { AdapterDescription, RouteDescription } from '../host/describe.ts'
import { compileForeignSchema } from '../host/foreign-schema.ts'
import { describeProblems } from '../host/json-schema.ts'
import {
  connectionParameterOf,
  createReadInput,
  createRouteMatcher,
  describeDetails,
  fieldsOf,
  findUnstorable,
  problemHeaders,
  readAnswer,
  retryAfterSecondsOf,
  routeStatus,
  toProblem,
  withheldHeaders,
  type KnownError,
  type MatchedRoute,
  type ReadInput
} from '../host/routes/index.ts'
import { allowsScope, type TokenScope } from '../host/scopes.ts'
import type { RouteAnswer, RouteDefinition, RouteProblem, RouteRequest } from '../route.ts'
import type { TestConnection } from './memory-platform.ts'

type QueryValue = string | number | boolean

/** A request to a route of the adapter. */
export interface InjectedRequest {
  method: RouteDefinition['method']
  /**
   * The path below `/integrations/{platformType}`, perhaps with a query. At its beginning,
   * `/connections/:connectionId/` stands for the opened connection.
   */
  path: string
  /** Added to the query of the path. A list repeats its name. */
  query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>
  /** Sent as JSON. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** The scope of the caller's token. If absent, the caller has no token. */
  scope?: TokenScope
}

/** The answer that a caller of the hub would get. */
export interface InjectedAnswer {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** The parsed JSON; undefined without a body. A problem has the members of RFC 9457. */
  body: unknown
  /**
   * The error that the handler threw. The hub logs it and shows its caller only the problem in
   * `body`.
   */
  error?: unknown
}

export interface InjectOptions {
  /** `adapterKey@version`. */
  adapter: string
  platformType: string
  connectionId: string
  status: () => TestConnection['status']
  now: () => Date
  routes: AdapterDescription['routes']
  /** Calls the handler. */
  call(
    target: CallTarget,
    args: readonly unknown[],
    options: { requestId: string, deadline: Date }
  ): Promise<unknown>
}

/** The limits of the hub. The time is on the clock of the test host. */
const timeoutMs = 30_000
const mostBodyBytes = 1_048_576

export type Inject = (request: InjectedRequest) => Promise<InjectedAnswer>

interface InjectedRoute {
  index: number
  description: RouteDescription
  connectionParameter: string | undefined
  readInput: ReadInput
}

/** Makes the function that serves a request to the routes of one adapter as the hub does. */
export function createInject (options: InjectOptions): Inject {
  const { platformType, connectionId, routes, call } = options
  const ofConnections = createRouteMatcher<InjectedRoute>()
  const ofPlatform = createRouteMatcher<InjectedRoute>()
  for (const [index, description] of routes.entries()) {
    const connectionParameter = connectionParameterOf(description.path)
    const matcher = connectionParameter === undefined ? ofPlatform : ofConnections
    const route = { index, description, connectionParameter, readInput: createReadInput(description) }
    matcher.add(description.method, description.path, route)
  }
  let lastRequest = 0

  function find (method: string, url: string): MatchedRoute<InjectedRoute> | undefined {
    const found = ofConnections.find(method, url)
    const isOwn = found?.params[found.route.connectionParameter ?? ''] === connectionId
    return isOwn ? found : ofPlatform.find(method, url) ?? found
  }

  return async function inject ({ method, path, query = {}, body, headers = {}, scope }) {
    const requestId = `request-${++lastRequest}`
    const url = addressOf(path, connectionId, query)
    const found = find(method, url.pathname)
    const refused = refuseCaller(options, found, scope, `${method} /integrations/${platformType}${url.pathname}`)
    if (refused !== undefined || found === undefined) return problemAnswer(refused, requestId)
    const { route, params } = found
    const { description, index } = route
    const { value: parsed, refusal } = readBody(method, body)
    if (refusal !== undefined) return problemAnswer(refusal, requestId)
    const problem = route.connectionParameter === undefined ? undefined : problemOf(options, description)
    if (problem !== undefined && description.servesUnusable !== true) return problemAnswer(problem, requestId)
    const given = { params, query: queryOf(url.searchParams), body: parsed }
    const { input, problems } = route.readInput(given)
    if (problems.length > 0) {
      return problemAnswer(invalid(describeDetails(problems), problems), requestId)
    }
    const request: RouteRequest = { method, ...input, headers: visible(headers), requestId }
    const target: CallTarget = { kind: 'route', index, ...(problem === undefined ? {} : { problem: shown(problem) }) }
    const deadline = new Date(options.now().getTime() + timeoutMs)
    let value: unknown
    try {
      value = await call(target, [request], { requestId, deadline })
    } catch (error) {
      const isLate = options.now().getTime() >= deadline.getTime()
      const known = isLate ? late(options.adapter) : failureOf(error, options.adapter)
      return { ...problemAnswer(known, requestId, error), error }
    }
    return checkedAnswer(value, description, platformType)
  }
}

function addressOf (path: string, connectionId: string, query: NonNullable<InjectedRequest['query']>): URL {
  const parameter = connectionParameterOf(path)
  const concrete = parameter === undefined ? path : path.replace(`:${parameter}`, encodeURIComponent(connectionId))
  if (!concrete.startsWith('/')) throw new TypeError(`inject: the path '${path}' does not start with a slash`)
  const url = new URL(`http://hub.test${concrete}`)
  const open = url.pathname.split('/').find(segment => segment.startsWith(':'))
  if (open !== undefined) {
    throw new TypeError(`inject: the path '${path}' has the parameter ${open}: put its value in its place`)
  }
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) url.searchParams.append(name, String(item))
    }
  }
  return url
}

/** Reads a query as the hub does: a repeated name has its values in an array. */
function queryOf (parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries([...new Set(parameters.keys())].map(name => {
    const values = parameters.getAll(name)
    return [name, values.length === 1 ? values[0] ?? '' : values]
  }))
}

/**
 * Parses the JSON of a body with the limits of the hub. A body that its parser refuses never
 * reaches the schemas of the route.
 */
function readBody (method: InjectedRequest['method'], body: unknown): { value?: unknown, refusal?: KnownError } {
  if (method === 'GET' || body === undefined) return {}
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) > mostBodyBytes) {
    const message = `The body is larger than ${mostBodyBytes} bytes`
    return { refusal: { code: 'LNK_PAYLOAD_TOO_LARGE', statusCode: 413, message } }
  }
  const value: unknown = JSON.parse(text)
  if (hasForbiddenName(value)) {
    return {
      refusal: invalid('The body contains a forbidden member name: `__proto__`, or `constructor` with a ' +
        '`prototype`')
    }
  }
  const problems = findUnstorable(value)
  return problems.length === 0 ? { value } : { refusal: invalid(describeDetails(problems), problems) }
}

function hasForbiddenName (value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__')) return true
  const made: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : undefined
  if (typeof made === 'object' && made !== null && Object.hasOwn(made, 'prototype')) return true
  return Object.values(value).some(hasForbiddenName)
}

function invalid (message: string, errors: NonNullable<KnownError['errors']> = []): KnownError {
  return { code: 'LNK_REQUEST_INVALID', statusCode: 400, message, errors }
}

function visible (headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !withheldHeaders.has(name)))
}

/** The reason for which the hub does not let this caller reach a route, if there is one. */
function refuseCaller (
  { connectionId }: InjectOptions,
  found: MatchedRoute<InjectedRoute> | undefined,
  scope: TokenScope | undefined,
  address: string
): KnownError | undefined {
  // The hub wants a token for an unknown path, so that a stranger cannot learn which paths exist.
  const needed = found?.route.description.auth ?? 'read'
  if (needed !== 'public' && scope === undefined) {
    const message = 'This route needs "Authorization: Bearer <token>"'
    return { code: 'LNK_UNAUTHORIZED', statusCode: 401, message }
  }
  if (needed !== 'public' && scope !== undefined && !allowsScope(scope, needed)) {
    const message = `Token 'test' has the scope '${scope}'; this request needs '${needed}'`
    return { code: 'LNK_FORBIDDEN', statusCode: 403, message }
  }
  if (found === undefined) return { code: 'LNK_NOT_FOUND', statusCode: 404, message: `No route ${address}` }
  const { connectionParameter } = found.route
  return connectionParameter === undefined || found.params[connectionParameter] === connectionId
    ? undefined
    : { code: 'LNK_CONNECTION_NOT_FOUND', statusCode: 404, message: 'Connection not found' }
}

/**
 * The reason why the opened connection cannot be used. In error, only a route that tells such
 * reasons gets one.
 */
function problemOf (
  { connectionId, status }: InjectOptions,
  { servesUnusable }: RouteDescription
): KnownError | undefined {
  switch (status()) {
    case 'disabled':
      return { code: 'LNK_CONNECTION_DISABLED', statusCode: 400, message: `Connection '${connectionId}' is disabled` }
    case 'error': {
      const message = 'The connection is in error: the platform refused its credentials'
      return servesUnusable === true ? { code: 'LNK_CONNECTION_IN_ERROR', statusCode: 400, message } : undefined
    }
    case 'active':
      return undefined
  }
}

function shown ({ code, message }: KnownError): RouteProblem {
  return { code, message }
}

function late (adapter: string): KnownError {
  const message = `Adapter '${adapter}' did not answer within ${timeoutMs} ms`
  return { code: 'LNK_ADAPTER_TIMEOUT', statusCode: 504, message }
}

function failureOf (error: unknown, adapter: string): KnownError {
  if (!isAdapterError(error)) {
    const message = `Adapter '${adapter}' failed. The log of the hub shows the reason under this request id`
    return { code: 'LNK_ADAPTER_FAILED', statusCode: 500, message }
  }
  return {
    code: error.code,
    statusCode: routeStatus[error.code],
    message: error.message,
    errors: fieldsOf(error) as NonNullable<KnownError['errors']>
  }
}

function problemAnswer (known: KnownError | undefined, requestId: string, error?: unknown): InjectedAnswer {
  const { code, statusCode, message, errors } = known ?? { code: 'LNK_NOT_FOUND', statusCode: 404, message: '' }
  const retryAfterSeconds = isAdapterError(error) ? retryAfterSecondsOf(error as AdapterError) : undefined
  return {
    status: statusCode,
    headers: {
      'content-type': 'application/problem+json',
      ...problemHeaders(statusCode),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) })
    },
    body: JSON.parse(JSON.stringify(toProblem({ code, statusCode, message, errors }, requestId)))
  }
}

/** Throws when the hub would refuse the answer, or when it is not as the route's schema says. */
function checkedAnswer (value: unknown, route: RouteDescription, platformType: string): InjectedAnswer {
  const name = `route ${route.method} ${route.path}`
  const { status, headers, body: text } = readable(value, platformType, name)
  const body: unknown = text === undefined ? undefined : JSON.parse(text)
  const misfit = misfitOf(route.schema.response ?? {}, status, body)
  if (misfit !== undefined) throw broken(name, misfit)
  return { status, headers: { ...contentType(text), ...headers }, body }
}

function readable (value: unknown, platformType: string, name: string): ReturnType<typeof readAnswer> {
  try {
    return readAnswer(value as RouteAnswer, platformType)
  } catch (error) {
    throw broken(name, error instanceof Error ? error.message : String(error))
  }
}

function contentType (text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
}

function broken (name: string, reason: string): RejectedError {
  return new RejectedError(`${name} returned an answer that breaks its contract: ${reason}`)
}

/**
 * Says where and why a body is not as the schema of its status says (`200`, or `2XX` for all of
 * them). Undefined when it is, or when the route does not describe this status.
 */
function misfitOf (response: Readonly<Record<string, object>>, status: number, body: unknown): string | undefined {
  const schemas = new Map(Object.entries(response).map(([name, schema]) => [name.toUpperCase(), schema]))
  const schema = schemas.get(String(status)) ?? schemas.get(`${String(status).charAt(0)}XX`)
  if (schema === undefined) return undefined
  const problems = describeProblems(compileForeignSchema(schema)(body ?? null).errors)
  return problems.length === 0 ? undefined : describeDetails(problems)
}
