import type { TSchema } from '@sinclair/typebox'
import type {
  AdapterDefinition,
  AuthorisationDefinition,
  ConfigMigration,
  JobDefinition,
  RequestBudget,
  ScheduleDefinition
} from '../adapter.ts'
import { requiredMethods } from '../capabilities/capabilities.ts'
import type { RouteDefinition } from '../route.ts'
import type { WebhookBodyForm } from '../webhooks.ts'
import {
  aFunction,
  anything,
  boolean,
  eachOf,
  isObject,
  list,
  listOf,
  membersOf,
  object,
  oneOf,
  optional,
  text,
  unknownMember,
  type Look
} from './look.ts'
import { verification } from './verify/form.ts'
import { signingFaults, webhookAccepted, webhookChallenges } from './webhook-challenges.ts'
import { webhookSource } from './webhook-source.ts'
import { eventType } from './webhook-words.ts'

// The types of the SDK require the same, but an adapter in JavaScript, or one with a cast, has
// bypassed them.

type Definition = AdapterDefinition<TSchema, TSchema, unknown>
type Webhooks = NonNullable<Definition['webhooks']>
type RouteSchemas = NonNullable<RouteDefinition['schema']>

const body = membersOf<WebhookBodyForm>({
  eventType,
  objectType: text,
  externalId: text,
  occurredAt: optional(list)
})

const webhooksMembers = membersOf<Webhooks>({
  scheme: optional(oneOf('hmac', 'bearer')),
  verify: optional(verification),
  install: optional(aFunction),
  body: optional(body),
  source: optional(webhookSource),
  challenges: optional(webhookChallenges),
  accepted: optional(webhookAccepted),
  events: optional(eachOf(text)),
  windowMs: anything
})

const webhooks: Look = (value, path) => {
  const faults = webhooksMembers(value, path)
  return [
    ...faults,
    ...isObject(value) ? authenticationProblems(value as Partial<Webhooks>, path) : [],
    ...isObject(value) && 'source' in value && 'body' in value
      ? [`its ${path} has both body and source: keep one of them`]
      : [],
    ...faults.length === 0 ? signingFaults(value as Webhooks, path) : []
  ]
}

function authenticationProblems ({ scheme, verify }: Partial<Webhooks>, path: string): string[] {
  if (scheme !== undefined && verify !== undefined) return [`its ${path} has both scheme and verify: keep one of them`]
  return scheme === undefined && verify === undefined
    ? [`its ${path}.scheme is missing: 'hmac' or 'bearer' is allowed, or ${path}.verify in its place`]
    : []
}

const job = membersOf<JobDefinition<unknown, unknown, unknown>>({
  payload: object,
  capabilities: optional(listOf(text)),
  run: aFunction
})

const schedule = membersOf<ScheduleDefinition>({ name: text, every: text, job: text, payload: optional(object) })

const routeMembers = membersOf<RouteDefinition>({
  method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: text,
  auth: oneOf('read', 'operate', 'admin', 'public'),
  summary: optional(text),
  servesUnusable: optional(boolean),
  readsHubOnly: optional(boolean),
  rawBody: optional(boolean),
  schema: optional(membersOf<RouteSchemas>({
    params: optional(object),
    query: optional(object),
    body: optional(object),
    response: optional(eachOf(object))
  })),
  handler: aFunction
})

const route: Look = (value, path) => {
  const faults = routeMembers(value, path)
  if (faults.length > 0) return faults
  const { method, rawBody } = value as RouteDefinition
  return method === 'GET' && rawBody === true ? [`its ${path}.rawBody is true, and a GET has no body`] : []
}

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
  // Adapters of an earlier contract lack it; the types require it of new ones.
  account: optional(aFunction),
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
