import type { Adapter, Job } from '../adapter.ts'
import type { Context } from '../context.ts'
import { ConfigurationError } from '../errors.ts'
import type { RouteDefinition, RouteHost, RouteRequest } from '../route.ts'
import type { WebhookDelivery, WebhookInstallation } from '../webhooks.ts'
import type { AdapterCall, CallTarget } from './carrier.ts'
import { createLog, type ContextOptions } from './context.ts'
import { createFillDefaults, noDefaults } from './defaults.ts'
import { createFlows } from './flows.ts'
import { invalidPayload } from './invalid-payload.ts'
import { compileSchema, type SchemaValidator } from './json-schema.ts'
import { missingMethods } from './missing-methods.ts'
import { permittedHttp } from './permissions.ts'
import { createPlatformConnections } from './platform-connections.ts'
import { collectMarked, collectSecrets, type CallSecrets, type Secrecy } from './redact.ts'
import { doubledMethod, withPresentNames } from './renamed-methods.ts'
import type { HostServices } from './services.ts'

/** The client that `connect` made for one connection, and everything made from it. */
export interface Client {
  context: Context
  value: unknown
  secrecy: Secrecy
  capabilities: Map<string, object>
}

/** The inputs of a call besides its arguments: the client of its connection, if any. */
interface Surroundings {
  client: Client | undefined
  secrets: CallSecrets
}

type Invoke = (call: AdapterCall, args: unknown[], surroundings: Surroundings) => unknown

/** Returns the function that finds the target of a call in a definition and calls it. */
export function createInvoke (options: ContextOptions & { definition: Adapter, services: HostServices }): Invoke {
  const { definition, manifest, services } = options
  const key = manifest.adapterKey
  const jobs = new Map(Object.entries(definition.jobs ?? {}))
  const payloads = new Map<string, { check: SchemaValidator, fill: ReturnType<typeof createFillDefaults> }>()
  const log = createLog(options)
  const { platformSettings: platform, defaults = noDefaults } = options

  function hostOf (call: AdapterCall, { client, secrets }: Surroundings): RouteHost {
    const { signal } = call
    return Object.freeze({
      platform,
      http: permittedHttp(options.http, manifest.permissions, { platform }),
      // The log of the connection also removes its secrets.
      log: client?.context.log ?? log,
      clock: Object.freeze({ now: options.now }),
      signal,
      flows: createFlows({ services, call, secrets, now: options.now }),
      connections: createPlatformConnections({ manifest, schemas: definition, defaults, services, secrets }),
      connection: client === undefined ? undefined : Object.freeze({ client: client.value, context: client.context }),
      problem: call.target.kind === 'route' ? call.target.problem : undefined
    })
  }

  function runJob (target: Extract<CallTarget, { kind: 'job' }>, job: Job<unknown>, client: Client): unknown {
    const found = jobs.get(target.jobType)
    if (found === undefined) throw new ConfigurationError(`${key} has no job '${target.jobType}'`)
    const { check, fill } = payloads.get(target.jobType) ??
      { check: compileSchema(found.payload), fill: createFillDefaults(found.payload) }
    payloads.set(target.jobType, { check, fill })
    const { problems } = check(job.payload, '/payload')
    if (problems.length > 0) throw invalidPayload(target.jobType, problems)
    return found.run(client.value, { ...job, payload: fill(job.payload) }, client.context)
  }

  function callCapability (
    target: Extract<CallTarget, { kind: 'capability' }>,
    args: unknown[],
    client: Client
  ): unknown {
    const method: unknown = Reflect.get(capabilityOf(definition, key, client, target.capability), target.method)
    if (typeof method !== 'function') {
      throw new ConfigurationError(`${key} has no ${target.capability}.${target.method}`)
    }
    return method(...args)
  }

  return function invoke (call, args, surroundings) {
    const { target } = call
    const { client } = surroundings
    switch (target.kind) {
      case 'init':
        return definition.init?.({ platform, log })
      case 'normalizeCredentials':
        surroundings.secrets.add(collectSecrets(definition.credentials, args[0]))
        return definition.normalizeCredentials === undefined ? args[0] : definition.normalizeCredentials(args[0])
      case 'checkConfig':
        keepMarked(surroundings.secrets, definition.config, args[0])
        return definition.checkConfig?.(defaults.config(args[0]), { platform }) ?? []
      case 'migrate':
        keepMarked(surroundings.secrets, definition.config, args[0])
        return migrate(definition, target, args[0] as Record<string, unknown>)
      case 'verifyWebhook':
        return verifyWebhook(definition, args[0] as WebhookDelivery)
      case 'route':
        return runRoute(
          definition.routes?.[target.index],
          args[0] as RouteRequest,
          hostOf(call, surroundings),
          surroundings.secrets
        )
      default: {
        if (client === undefined) throw new Error(`a ${target.kind} call needs a connection`)
        if (target.kind === 'test') return definition.test?.(client.value, client.context)
        if (target.kind === 'account') return readAccount(definition, key, client)
        if (target.kind === 'installWebhooks') {
          return installWebhooks(definition, args[0] as WebhookInstallation, client)
        }
        return target.kind === 'job'
          ? runJob(target, args[0] as Job<unknown>, client)
          : callCapability(target, args, client)
      }
    }
  }
}

/** Removes the members that a schema marks as secret from the errors and the answer of the call. */
function keepMarked (secrets: CallSecrets, schema: object, given: unknown): void {
  if (typeof given !== 'object' || given === null) return
  const marked = collectMarked(schema, given)
  secrets.add(marked)
  secrets.addMarked(marked)
}

/**
 * Runs a route. The answer never contains the members of the request that its schemas mark as
 * secret.
 */
function runRoute (
  route: RouteDefinition<never, never, never> | undefined,
  request: RouteRequest,
  host: RouteHost,
  secrets: CallSecrets
): unknown {
  if (route === undefined) return undefined
  for (const part of ['params', 'query', 'body'] as const) {
    keepMarked(secrets, route.schema?.[part] ?? {}, request[part])
  }
  return (route.handler as (request: RouteRequest, host: RouteHost) => unknown)(request, host)
}

function readAccount ({ account }: Adapter, key: string, client: Client): unknown {
  if (account === undefined) throw new ConfigurationError(`${key} cannot tell the account of a connection`)
  return account(client.value, client.context)
}

function installWebhooks ({ webhooks }: Adapter, installation: WebhookInstallation, client: Client): unknown {
  client.secrecy.addSecret(installation.secret)
  return webhooks?.install?.(client.value, installation, client.context)
}

function verifyWebhook ({ webhooks }: Adapter, delivery: WebhookDelivery): unknown {
  return webhooks?.verify?.kind === 'function' ? webhooks.verify.isGenuine(delivery) : undefined
}

function migrate (
  definition: Adapter,
  { index, direction }: Extract<CallTarget, { kind: 'migrate' }>,
  config: Record<string, unknown>
): unknown {
  const step = definition.migrations?.[index]?.[direction]
  if (step === undefined) throw new ConfigurationError(`migration ${index} has no '${direction}'`)
  return step(config)
}

function capabilityOf (definition: Adapter, key: string, client: Client, name: string): object {
  const existing = client.capabilities.get(name)
  if (existing !== undefined) return existing
  const factory = new Map<string, unknown>(Object.entries(definition.capabilities)).get(name)
  if (typeof factory !== 'function') throw new ConfigurationError(`${key} does not implement ${name}`)
  const given = factory(client.value, client.context) as object
  const doubled = doubledMethod(name, given)
  if (doubled !== undefined) throw new ConfigurationError(`${key}: ${doubled}`)
  const made = withPresentNames(name, given)
  const missing = missingMethods(name, made)
  if (missing.length > 0) throw new ConfigurationError(`${key}: ${name} lacks ${missing.join(', ')}`)
  client.capabilities.set(name, made)
  return made
}
