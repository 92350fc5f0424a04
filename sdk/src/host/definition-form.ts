import type { TSchema } from '@sinclair/typebox'
import type {
  AdapterDefinition,
  AuthorisationDefinition,
  ConfigMigration,
  JobDefinition,
  RequestBudget,
  ScheduleDefinition,
  WebhookBodyForm
} from '../adapter.ts'
import { requiredMethods } from '../capabilities/capabilities.ts'
import type { RouteDefinition } from '../route.ts'

// The types of the SDK require the same, but an adapter in JavaScript, or one with a cast, has
// bypassed them.

type Definition = AdapterDefinition<TSchema, TSchema, unknown>
type Webhooks = NonNullable<Definition['webhooks']>
type RouteSchemas = NonNullable<RouteDefinition['schema']>

/** Looks at the value at `path` and returns its faults. */
type Look = (value: unknown, path: string) => string[]

const object = must('an object', isObject)
const list = must('an array', Array.isArray)
const text = must('a text', value => typeof value === 'string')
const boolean = must('true or false', value => typeof value === 'boolean')
const aFunction = must('a function', value => typeof value === 'function')
/** Accepts any value: the code that reads it reports its faults. */
const anything: Look = () => []

const body = membersOf<WebhookBodyForm>({
  eventType: text,
  objectType: text,
  externalId: text,
  revision: list,
  occurredAt: optional(list)
})

const webhooks = membersOf<Webhooks>({
  scheme: oneOf('hmac', 'bearer'),
  install: optional(aFunction),
  body: optional(body),
  events: optional(eachOf(text)),
  windowMs: anything
})

const job = membersOf<JobDefinition<unknown, unknown, unknown>>({
  payload: object,
  capabilities: optional(listOf(text)),
  run: aFunction
})

const schedule = membersOf<ScheduleDefinition>({ name: text, every: text, job: text, payload: optional(object) })

const route = membersOf<RouteDefinition>({
  method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: text,
  auth: oneOf('read', 'operate', 'admin', 'public'),
  summary: optional(text),
  servesUnusable: optional(boolean),
  schema: optional(membersOf<RouteSchemas>({
    params: optional(object),
    query: optional(object),
    body: optional(object),
    response: optional(eachOf(object))
  })),
  handler: aFunction
})

const migration = membersOf<ConfigMigration>({ from: text, to: text, up: aFunction, down: optional(aFunction) })

const capabilityNames = Object.keys(requiredMethods)

const capabilities: Look = (value, path) =>
  isObject(value)
    ? Object.keys(value).filter(name => !name.includes('/') && !capabilityNames.includes(name)).map(name =>
      unknownMember(path, name, [...capabilityNames, 'names of a vendor (acme/Name)'])
    )
    : object(value, path)

const definition = membersOf<Definition>({
  config: object,
  credentials: object,
  normalizeCredentials: optional(aFunction),
  checkConfig: optional(aFunction),
  init: optional(aFunction),
  connect: aFunction,
  test: optional(aFunction),
  capabilities,
  webhooks: optional(webhooks),
  budget: optional(membersOf<RequestBudget>({ ratePerSecond: anything, burst: anything })),
  offers: optional(membersOf<NonNullable<Definition['offers']>>({ visibleAfterMs: anything })),
  orders: optional(membersOf<NonNullable<Definition['orders']>>({ keepsLineIds: optional(boolean) })),
  jobs: optional(eachOf(job)),
  schedules: optional(listOf(schedule)),
  routes: optional(listOf(route)),
  authorisation: optional(membersOf<AuthorisationDefinition>({ path: text })),
  migrations: optional(listOf(migration))
})

/**
 * Lists the faults in the form of a definition, one sentence each: members that are missing,
 * misspelt or of another type.
 */
export function definitionProblems (value: unknown): string[] {
  return definition(value, '')
}

function membersOf<Of> (looks: { readonly [Member in keyof Required<Of>]: Look }): Look {
  const known = new Map<string, Look>(Object.entries(looks))
  return (value, path) => {
    if (!isObject(value)) return object(value, path)
    const unknown = Object.keys(value).filter(name => !known.has(name)).map(name =>
      unknownMember(path, name, [...known.keys()])
    )
    return [
      ...unknown,
      ...[...known].flatMap(([name, look]) => look(Reflect.get(value, name), path === '' ? name : `${path}.${name}`))
    ]
  }
}

function eachOf (look: Look): Look {
  return (value, path) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => look(member, `${path}['${name}']`))
      : object(value, path)
}

function listOf (look: Look): Look {
  return (value, path) =>
    Array.isArray(value) ? value.flatMap((item: unknown, index) => look(item, `${path}[${index}]`)) : list(value, path)
}

function optional (look: Look): Look {
  return (value, path) => value === undefined ? [] : look(value, path)
}

function oneOf (...values: readonly string[]): Look {
  return must(values.map(value => `'${value}'`).join(' or '), value => values.some(allowed => allowed === value))
}

function must (allowed: string, is: (value: unknown) => boolean): Look {
  return (value, path) =>
    is(value) ? [] : [`its ${path} is ${value === undefined ? 'missing' : shown(value)}: ${allowed} is allowed`]
}

function unknownMember (path: string, name: string, allowed: readonly string[]): string {
  return `its ${path === '' ? 'definition' : path} has an unknown member '${name}': allowed are ${allowed.join(', ')}`
}

function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown (value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  if (Array.isArray(value)) return 'an array'
  return value === null || ['number', 'boolean'].includes(typeof value) ? String(value) : `of the type ${typeof value}`
}
