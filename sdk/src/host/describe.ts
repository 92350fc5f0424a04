import { adapterTag, type Adapter, type RequestBudget } from '../adapter.ts'
import type { RouteDefinition } from '../route.ts'
import type {
  WebhookAccepted,
  WebhookBodyForm,
  WebhookChallenge,
  WebhookFunction,
  WebhookSource,
  WebhookVerification
} from '../webhooks.ts'
import { definitionProblems } from './definition-form.ts'
import { missingMethods } from './missing-methods.ts'
import { optionalDefaults } from './optional-defaults.ts'
import { doubledMethod, formerMethods, withPresentNames } from './renamed-methods.ts'

/** A verification as data: the function itself stays in the adapter. */
export type DescribedVerification = WebhookVerification | Pick<WebhookFunction, 'kind'>

export interface WebhooksDescription {
  /** The hub's own scheme; without a meaning when `verify` is present. */
  scheme: 'hmac' | 'bearer'
  /** How the platform proves its deliveries in its own way. */
  verify?: DescribedVerification
  /** Event type → job type. Default: those of the specification. */
  events?: Readonly<Record<string, string>>
  /** The window in which all changes of one object share an event. */
  windowMs?: number
  body?: WebhookBodyForm
  /** Where the platform's own deliveries hold their events. */
  source?: WebhookSource
  /** How the platform checks the address of its webhooks. */
  challenges?: readonly WebhookChallenge[]
  /** The answer to an accepted delivery. Default: 202 without a body. */
  accepted?: WebhookAccepted
  /** Whether the adapter can install its webhooks on the platform. */
  canInstall: boolean
}

export interface RouteDescription
  extends Pick<RouteDefinition, 'method' | 'path' | 'auth' | 'summary' | 'servesUnusable' | 'readsHubOnly' | 'rawBody'>
{
  schema: { params?: object, query?: object, body?: object, response?: Readonly<Record<string, object>> }
}

export interface ScheduleDescription {
  name: string
  every: string
  job: string
  payload: Readonly<Record<string, unknown>>
}
export interface MigrationDescription {
  from: string
  to: string
  isReversible: boolean
}

/**
 * Everything that a runtime has to know of an adapter's code. Plain data: the code itself may be in
 * another thread.
 */
export interface AdapterDescription {
  /** The contract version that the adapter was made with. */
  contractVersion: string
  config: object
  credentials: object
  hasTest: boolean
  /** False: the adapter was made by a contract without `account`. */
  hasAccount: boolean
  hasInit: boolean
  normalizesCredentials: boolean
  checksConfig: boolean
  /** Capability → its methods; null when only a client could tell them. */
  capabilities: Readonly<Record<string, readonly string[] | null>>
  /** Parts of the contract that the adapter uses and a later version removes, with replacements. */
  deprecations?: readonly string[]
  webhooks?: WebhooksDescription
  /** The requests that the platform accepts from one connection. Default: no limit. */
  budget?: RequestBudget
  /** How long the platform may show an offer in its state before a write. Default: the hub's. */
  offers?: { visibleAfterMs: number }
  /**
   * Whether the platform may replace an order by one that keeps the ids of its lines. Default: no.
   */
  orders?: { keepsLineIds: boolean }
  /** Job type → JSON Schema of its payload. */
  jobs: Readonly<Record<string, object>>
  /** Job type → the capabilities that it serves. A job type that is missing serves all. */
  jobCapabilities?: Readonly<Record<string, readonly string[]>>
  schedules: readonly ScheduleDescription[]
  routes: readonly RouteDescription[]
  /** The path of the route that begins the authorisation of an account. */
  authorisation?: { path: string }
  migrations: readonly MigrationDescription[]
}

/** The shape of an adapter is wrong; the message says how. */
export class ShapeError extends Error {
  static readonly code = 'LNK_ADAPTER_SHAPE_INVALID'
  readonly code = ShapeError.code
}

/**
 * Describes the default export of an adapter's package. Throws `ShapeError` when it is not an
 * adapter.
 */
export function describeAdapter (exported: unknown): AdapterDescription {
  if (!isAdapter(exported)) throw new ShapeError('its default export is not the result of defineAdapter()')
  const problems = definitionProblems(exported)
  if (problems.length > 0) throw new ShapeError(problems.join('; '))
  const factories = Object.entries(exported.capabilities)
  const made = factories.map(([name, factory]) => [name, make(name, factory)] as const)
  const methods = Object.fromEntries(made.map(([name, capability]) => [name, methodsOf(name, capability)]))
  const deprecations = made.flatMap(([name, capability]) =>
    capability === null ?
      [] :
      formerMethods(name, capability).map(({ former, present }) =>
        `${name}.${former} is deprecated: call it ${present}`
      )
  )
  const { webhooks, budget, offers, orders, jobs = {}, schedules = [], routes = [] } = exported
  const { authorisation, migrations = [] } = exported
  refuseMissingTokens(exported.config, webhooks?.challenges ?? [])
  return {
    contractVersion: exported[adapterTag],
    config: withHubMembers(givenSchema(exported.config), {
      hasCallback: webhooks !== undefined && (webhooks.install !== undefined || signsAddress(webhooks.verify)),
      canCancel: canCancel(methods)
    }),
    credentials: givenSchema(exported.credentials),
    hasTest: exported.test !== undefined,
    hasAccount: exported.account !== undefined,
    hasInit: exported.init !== undefined,
    normalizesCredentials: exported.normalizeCredentials !== undefined,
    checksConfig: exported.checkConfig !== undefined,
    capabilities: methods,
    ...deprecations.length === 0 ? {} : { deprecations },
    webhooks: webhooks && describeWebhooks(webhooks),
    budget: budget && describeBudget(budget),
    offers: describeOffers(offers),
    orders: orders && { keepsLineIds: orders.keepsLineIds === true },
    jobs: Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, givenSchema(job.payload)])),
    jobCapabilities: Object
      .fromEntries(Object.entries(jobs).flatMap(([name, { capabilities }]) =>
        capabilities === undefined ? [] : [[name, [...capabilities]]]
      )),
    schedules: schedules.map(({ name, every, job, payload = {} }) => ({ name, every, job, payload })),
    routes: describeRoutes(routes),
    authorisation: authorisation && { path: authorisation.path },
    migrations: migrations.map(({ from, to, down }) => ({ from, to, isReversible: down !== undefined }))
  }
}

// An empty value counts as absent: `callbackUrlOf` of the runtime reports it when it needs the
// address.
const callbackBaseUrl = {
  type: 'string',
  maxLength: 2_000,
  pattern: '^(https?://[^\\s?#@]+)?$',
  description: 'Public address of the hub, which the platform sends its webhooks to'
}

const cancelOrdersWithShop = {
  type: 'boolean',
  description: 'Whether an order that the shop cancels is cancelled at the marketplace, too; default false'
}

/**
 * Adds the members that the hub itself reads from a connection's config: the hub's public address,
 * when the adapter can install webhooks (specification, section 4.2) or the platform signs that
 * address, and the effect of a cancellation in the shop.
 */
function withHubMembers (schema: object, can: { hasCallback: boolean, canCancel: boolean }): object {
  const { hasCallback, canCancel } = can
  const { type, properties } = schema as { type?: unknown, properties?: Record<string, unknown> }
  if (type !== 'object') return schema
  const members = { ...hasCallback ? { callbackBaseUrl } : {}, ...canCancel ? { cancelOrdersWithShop } : {} }
  return { ...schema, properties: { ...members, ...properties } }
}

/**
 * Whether the adapter is one of a marketplace that accepts cancellations, as far as its methods are
 * known.
 */
function canCancel (methods: AdapterDescription['capabilities']): boolean {
  const has = (name: string): boolean => Object.hasOwn(methods, name)
  const canTell = (name: string): boolean => has(name) && methods[name]?.includes('updateOrderStatus') !== false
  return (has('OrderSource') || has('Marketplace')) && (canTell('OrderSource') || canTell('OrderProcessorManager'))
}

function signsAddress (verify: DescribedVerification | undefined): boolean {
  // A function gets the address, too.
  return verify?.kind === 'function' || (verify?.kind === 'hmac' && verify.signed.includes('url'))
}

/** The token of a challenge is a text that the operator can enter in the config. */
function refuseMissingTokens (config: object, challenges: readonly WebhookChallenge[]): void {
  const { properties = {} } = config as { properties?: Readonly<Record<string, { type?: unknown }>> }
  for (const [index, { token }] of challenges.entries()) {
    if (token === undefined) continue
    const member = Object.hasOwn(properties, token.config) ? properties[token.config] : undefined
    if (member?.type === 'string') continue
    const path = `webhooks.challenges[${index}].token.config`
    throw new ShapeError(`its ${path} is '${token.config}': the name of a text in config is allowed`)
  }
}

function describeWebhooks (webhooks: NonNullable<Adapter['webhooks']>): WebhooksDescription {
  const { scheme = 'hmac', verify, events, windowMs, body, source, challenges, accepted, install } = webhooks
  return {
    scheme,
    verify: verify?.kind === 'function' ? { kind: verify.kind } : structuredClone(verify),
    events: events && { ...events },
    windowMs: windowMs === undefined ? undefined : duration(windowMs, 'webhooks.windowMs', 1),
    body: body && bodyForm(body),
    source: structuredClone(source),
    challenges: structuredClone(challenges),
    accepted: structuredClone(accepted),
    canInstall: install !== undefined
  }
}

/** The bounds of a budget, in requests per second and requests. */
export const budgetLimits = { leastRate: 0.001, mostRate: 10_000, mostBurst: 10_000 } as const

function describeBudget ({ ratePerSecond, burst }: RequestBudget): RequestBudget {
  const { leastRate, mostRate, mostBurst } = budgetLimits
  if (typeof ratePerSecond !== 'number' || !(ratePerSecond >= leastRate && ratePerSecond <= mostRate)) {
    throw new ShapeError(`its budget.ratePerSecond is not a number from ${leastRate} to ${mostRate}`)
  }
  if (!Number.isInteger(burst) || burst < 1 || burst > mostBurst) {
    throw new ShapeError(`its budget.burst is not a whole number from 1 to ${mostBurst}`)
  }
  return { ratePerSecond, burst }
}

function describeOffers ({ visibleAfterMs }: NonNullable<Adapter['offers']> = {}): AdapterDescription['offers'] {
  if (visibleAfterMs === undefined) return undefined
  return { visibleAfterMs: duration(visibleAfterMs, 'offers.visibleAfterMs', 0) }
}

const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)+$/

function bodyForm (form: WebhookBodyForm): WebhookBodyForm {
  const { objectType, externalId, occurredAt = [] } = form
  if (objectType === '') throw new ShapeError('its webhooks.body.objectType is empty')
  const wrong = [externalId, ...occurredAt].find(pointer =>
    typeof pointer !== 'string' || !pointerPattern.test(pointer)
  )
  if (wrong !== undefined) {
    throw new ShapeError(`its webhooks.body names '${String(wrong)}', which is not a JSON pointer`)
  }
  return structuredClone(form)
}

const longestDurationMs = 86_400_000

function duration (value: unknown, what: string, least: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > longestDurationMs) {
    throw new ShapeError(`its ${what} is not a whole number of milliseconds from ${least} to a day`)
  }
  return value
}

export function isAdapter (value: unknown): value is Adapter {
  return typeof value === 'object' && value !== null && adapterTag in value && 'capabilities' in value &&
    'connect' in value
}

type AnyRoute = RouteDefinition<never, never, never>

/** Describes the routes of a definition, with their schemas as JSON. */
export function describeRoutes (routes: readonly AnyRoute[] = []): RouteDescription[] {
  return routes.map(describeRoute)
}

function describeRoute (route: AnyRoute): RouteDescription {
  const { method, path, auth, summary, servesUnusable = false, readsHubOnly, rawBody, schema = {} } = route
  const { params, query, body, response } = schema
  const part = (name: string, value: object | undefined): object =>
    value === undefined ? {} : { [name]: plainSchema(value) }
  return {
    method,
    path,
    auth,
    summary,
    servesUnusable,
    ...(readsHubOnly === true ? { readsHubOnly } : {}),
    ...(rawBody === true ? { rawBody } : {}),
    schema: {
      ...part('params', params),
      ...part('query', query),
      ...part('body', body),
      ...(response === undefined
        ? {}
        : {
          response: Object.fromEntries(Object.entries(response).map(([status, value]) => [status, plainSchema(value)]))
        })
    }
  }
}

/** Returns the schema of a value as people write it: a member with a default may be absent. */
function givenSchema (schema: object): object {
  return optionalDefaults(plainSchema(schema))
}

/** Returns a schema as JSON, without the symbols and functions that its library keeps in it. */
function plainSchema (schema: object): object {
  return JSON.parse(JSON.stringify(schema)) as object
}

/**
 * Makes a capability with a client that is a dummy. A factory that only builds an object, as it
 * should, does not notice. Returns null for a factory that needs a real client.
 */
function make (name: string, factory: unknown): object | null {
  if (typeof factory !== 'function') throw new ShapeError(`capability ${name} is not a function`)
  let made: unknown
  try {
    made = factory(nothing, nothing)
  } catch {
    return null
  }
  if (typeof made !== 'object' || made === null) throw new ShapeError(`capability ${name} does not return an object`)
  if (made instanceof Promise) {
    throw new ShapeError(`capability ${name} returns a promise; await it in connect() instead`)
  }
  const doubled = doubledMethod(name, made)
  if (doubled !== undefined) throw new ShapeError(`capability ${doubled}`)
  return made
}

/** Lists the methods of a capability by their present names; null when they are not known. */
function methodsOf (name: string, made: object | null): readonly string[] | null {
  if (made === null) return null
  const capability = withPresentNames(name, made)
  const missing = missingMethods(name, capability)
  if (missing.length > 0) throw new ShapeError(`capability ${name} lacks ${missing.join(', ')}`)
  const former = new Set(formerMethods(name, made).map(method => method.former))
  return Object.entries(capability)
    .filter(([method, member]) => typeof member === 'function' && !former.has(method))
    .map(([method]) => method)
}

/** A dummy that answers itself to every access and call. */
const nothing: unknown = new Proxy(() => nothing, {
  get: (_target, member) => {
    if (member === Symbol.toPrimitive) return () => ''
    return member === 'then' ? undefined : nothing
  }
})
