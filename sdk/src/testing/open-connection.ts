import type { Static, TSchema } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import type { Adapter, JobDefinitions, JobOutcome, TaggedAdapter, TestResult } from '../adapter.ts'
import { connectionParameterOf } from '../connection-path.ts'
import type { Context } from '../context.ts'
import { RejectedError } from '../errors.ts'
import {
  describeTarget,
  needsConnection,
  type AdapterCall,
  type CallTarget,
  type Carrier,
  type ConnectionSnapshot
} from '../host/carrier.ts'
import type { CurrentCallStorage } from '../host/current-call.ts'
import { describeRoutes } from '../host/describe.ts'
import { createInlineCarrier } from '../host/inline-carrier.ts'
import type { HttpClientFactory } from '../http/http.ts'
import type { Manifest } from '../manifest.ts'
import type { Account } from '../schemas/account.ts'
import { withCapabilityCalls, type CapabilityCalls } from './capability-calls.ts'
import type { Alarms, TestClock } from './clock.ts'
import { answerOf, misfitOf } from './conformance/methods.ts'
import { createInject, type InjectedAnswer, type InjectedRequest } from './inject.ts'
import type { CalledBy } from './memory-capabilities.ts'
import { prepareCredentials, refuse, servePlatform, type TestConnection } from './memory-platform.ts'
import type { MemoryServices } from './memory-services.ts'

/**
 * Settings as an operator writes them. The types do not know which members have a default: when the
 * connection is opened, the schema decides which members may be absent.
 */
export type GivenSettings<Settings> = unknown extends Settings ? unknown : Partial<Settings>

export interface OpenOptions<
  Config extends TSchema,
  Credentials extends TSchema,
  Client,
  Factories extends object = object,
  Jobs = unknown
> {
  /** The member `linker` of the adapter's package.json. */
  manifest: Manifest
  definition: TaggedAdapter<Config, Credentials, Client, Factories, Jobs>
  /**
   * Default: `connection-1`, active, with the name of the platform. Opening it again replaces its
   * config and credentials.
   */
  connection?: { id: string } & Partial<Pick<TestConnection, 'name' | 'status'>>
  config: GivenSettings<Static<Config>>
  credentials: GivenSettings<Static<Credentials>>
  /** As in `platforms.<platformType>` of linker.config.json. */
  platform?: Readonly<Record<string, unknown>>
  /** Default: `host.http`, restricted by the manifest's permissions. */
  http?: HttpClientFactory
}

export interface TestCallOptions {
  signal?: AbortSignal
  /** The deadline on the host's clock: advancing the clock to it aborts the call. */
  deadline?: Date
  requestId?: string
}

/**
 * The payload of a job type. The types do not know which members have a default: the schema decides
 * what may be absent.
 */
export type JobPayload<Jobs, Type extends keyof Jobs> = Jobs[Type] extends { payload: infer Payload extends TSchema }
  ? unknown extends Static<Payload> ? Readonly<Record<string, unknown>> : Partial<Static<Payload>>
  : never

/** The members that every opened connection has. */
export interface ConnectionCalls<Client, Config, Credentials, Jobs> {
  readonly id: string
  /**
   * The last context of the adapter. Outside a call it has no deadline and takes no cursors and
   * jobs.
   */
  readonly context: Context<Config, Credentials>
  /** The last client that `connect` made; replacing the credentials makes a new one. */
  readonly client: Client
  /**
   * Calls the adapter as the hub does: copies arguments and answer, and stores the effects of a
   * call that succeeds. An answer that the hub would refuse is a `RejectedError` with a pointer to
   * the fault. The other calls below do the same.
   */
  call(target: CallTarget, args?: readonly unknown[], options?: TestCallOptions): Promise<unknown>
  /** Runs a job of the adapter and returns its outcome. */
  run<Type extends keyof Jobs & string>(
    jobType: Type,
    payload: JobPayload<Jobs, Type>,
    options?: TestCallOptions
  ): Promise<JobOutcome | undefined>
  /** Runs the connection test. */
  test(options?: TestCallOptions): Promise<TestResult | undefined>
  /** Asks for the account that the connection opens. */
  account(options?: TestCallOptions): Promise<Account | undefined>
  /**
   * Serves a request to a route of the adapter as the hub does: finds the route, checks the scope,
   * converts and checks path, query and body, and answers the problem that a refusal or an error of
   * the SDK becomes. Throws a `RejectedError` when the hub would refuse the answer, or when the
   * answer is not as the route's `response` says.
   */
  inject(request: InjectedRequest): Promise<InjectedAnswer>
}

/**
 * A connection to an adapter on a test host. Each capability of the adapter is a member with typed
 * methods: `shop.ProductMaster.getProduct('27')`.
 */
export type OpenedConnection<
  Client = unknown,
  Config = unknown,
  Credentials = unknown,
  Factories extends object = object,
  Jobs = JobDefinitions<unknown, unknown, unknown>
> = ConnectionCalls<Client, Config, Credentials, Jobs> & CapabilityCalls<Factories>

/** The things that the connections of one host share. */
export interface Surroundings {
  memory: MemoryServices
  clock: TestClock & Alarms
  http: HttpClientFactory
  currentCall: CurrentCallStorage
}

/** The name of the only capability that `open` adds. Calling it connects and does nothing else. */
const opening = 'testing/Opening'

export async function openConnection<
  Config extends TSchema,
  Credentials extends TSchema,
  Client,
  Factories extends object,
  Jobs
> (
  surroundings: Surroundings,
  options: OpenOptions<Config, Credentials, Client, Factories, Jobs>
): Promise<OpenedConnection<Client, Static<Config>, Static<Credentials>, Factories, Jobs>> {
  const { memory, clock, currentCall } = surroundings
  const {
    manifest,
    definition,
    connection: { id, name = manifest.displayName, status = 'active' } = { id: 'connection-1' },
    platform: platformSettings = {},
    http = surroundings.http
  } = options
  const served = servePlatform(manifest, definition)
  refuse(served.examineConfig(options.config))
  const config = options.config as Record<string, unknown>
  memory.storeCredentials(id, options.credentials, value => prepareCredentials(served, value))
  memory.putConnection({ id, platformType: manifest.platformType, name, status, config })

  const { watched, latest } = watch(definition)
  const adapter = `${manifest.adapterKey}@0.0.0`
  const carrier = createInlineCarrier({
    adapter,
    definition: watched,
    manifest,
    services: memory.servicesOf(served),
    http,
    platformSettings,
    now: clock.now,
    currentCall
  })
  const call = createCall(surroundings, carrier, id, target =>
    concernsConnection(definition.routes, target)
      ? {
        id,
        platformType: manifest.platformType,
        config,
        credentials: memory.recorded.credentials[id],
        version: String(memory.credentialsVersion(id)),
        credentialsVersion: String(memory.credentialsVersion(id))
      }
      : undefined)
  const statusNow = (): TestConnection['status'] =>
    memory.recorded.connections.find(connection => connection.id === id)?.status ?? 'disabled'
  memory.capabilities.serve(id, {
    status: statusNow,
    call: ({ capability, method, args }, caller) => call({ kind: 'capability', capability, method }, args, caller)
  })
  let lastJob = 0

  await call({ kind: 'capability', capability: opening, method: 'connect' })
  const opened: ConnectionCalls<Client, Static<Config>, Static<Credentials>, Jobs> = {
    id,
    get context () {
      return latest().context
    },
    get client () {
      return latest().client
    },
    call,
    async run (jobType, payload, callOptions) {
      const job = { id: `job-${++lastJob}`, type: jobType, payload }
      return await call({ kind: 'job', jobType }, [job], callOptions) as JobOutcome | undefined
    },
    test: async callOptions => await call({ kind: 'test' }, [], callOptions) as TestResult | undefined,
    account: async callOptions => await call({ kind: 'account' }, [], callOptions) as Account | undefined,
    inject: createInject({
      adapter,
      now: clock.now,
      platformType: manifest.platformType,
      connectionId: id,
      status: statusNow,
      routes: describeRoutes(definition.routes),
      call
    })
  }
  return withCapabilityCalls<typeof opened, Factories>(opened, manifest.adapterKey, definition.capabilities)
}

interface Connected<Client, Config, Credentials> {
  context: Context<Config, Credentials>
  client: Client
}

/**
 * Wraps the definition to record the context that `connect` received and the client that it made.
 */
function watch<
  Config extends TSchema,
  Credentials extends TSchema,
  Client,
  Factories extends object,
  Jobs
> (definition: TaggedAdapter<Config, Credentials, Client, Factories, Jobs>) {
  type Context = Parameters<typeof definition.connect>[0]
  let connected: Connected<Client, Static<Config>, Static<Credentials>> | undefined
  const watched: unknown = {
    ...definition,
    async connect (context: Context) {
      const client = await definition.connect(context)
      connected = { context, client }
      return client
    },
    capabilities: { ...definition.capabilities, [opening]: () => ({ connect: () => undefined }) }
  }
  return {
    watched: watched as Adapter,
    latest () {
      if (connected === undefined) throw new Error('the adapter is not connected')
      return connected
    }
  }
}

function createCall (
  { memory, clock }: Surroundings,
  carrier: Carrier,
  connectionId: string,
  snapshotFor: (target: CallTarget) => ConnectionSnapshot | undefined
): (target: CallTarget, args?: readonly unknown[], options?: TestCallOptions & Partial<CalledBy>) => Promise<unknown> {
  return async function call (target, args = [], { signal, deadline, requestId, depth = 0, keep } = {}) {
    const late = new AbortController()
    const connection = snapshotFor(target)
    const traceId = randomUUID()
    const made: AdapterCall = {
      target,
      args,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      connection,
      deadline: deadline?.getTime(),
      requestId,
      traceId,
      depth
    }
    const called = memory.capabilities.begin(traceId, {
      connectionId: connection?.id,
      signal: made.signal,
      deadline,
      requestId,
      depth
    })
    const takeBack = deadline === undefined ? () => undefined : clock.at(deadline.getTime(), () => {
      late.abort(new Error('the deadline of the call has passed'))
    })
    try {
      const { value, effects } = await carrier.call(made)
      checkAnswer(target, value)
      const store = keep ?? memory.applyEffects
      for (const kept of called.kept) store(kept.connectionId, kept.effects)
      store(connectionId, effects)
      return value
    } finally {
      called.end()
      takeBack()
    }
  }
}

/**
 * Checks an answer as the hub does: refuses an answer that the hub cannot take, and stores nothing
 * of the call.
 */
function checkAnswer (target: CallTarget, value: unknown): void {
  const answer = answerOf(target)
  const misfit = answer === undefined ? undefined : misfitOf(answer, value)
  if (misfit !== undefined) {
    throw new RejectedError(`${describeTarget(target)} returned an answer that breaks its contract: ${misfit}`)
  }
}

function concernsConnection (routes: readonly { path: string }[] = [], target: CallTarget): boolean {
  if (target.kind !== 'route') return needsConnection(target)
  return target.problem === undefined && connectionParameterOf(routes[target.index]?.path ?? '') !== undefined
}
