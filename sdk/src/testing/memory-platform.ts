import type { TSchema } from '@sinclair/typebox'
import { randomBytes, randomUUID } from 'node:crypto'
import type { AdapterDefinition } from '../adapter.ts'
import { findConnectionMembers } from '../host/connection-members.ts'
import { compileSchema } from '../host/json-schema.ts'
import type { PlatformServices, TakenFlow, WrittenConnection } from '../host/services.ts'
import type { Manifest } from '../manifest.ts'
import type { PlatformConnection } from '../route.ts'
import type { FieldError } from '../schemas/values.ts'

/** A connection in the memory of a host. */
export interface TestConnection extends Omit<PlatformConnection<Record<string, unknown>>, 'kv'> {
  platformType: string
}

/** An adapter that a host serves, reduced to what creating connections needs. */
export interface ServedPlatform {
  platformType: string
  /** Returns the faults that the adapter's schema finds. Ignores unknown members. */
  examineConfig(config: unknown): FieldError[]
  /** Lists the members of a config that only an operator may set. */
  operatorMembers(config: object): FieldError[]
  /** Returns the credentials in the adapter's shape and the faults that its schema finds. */
  examineCredentials(credentials: unknown): { credentials: unknown, problems: FieldError[] }
}

type Definition = Pick<AdapterDefinition<TSchema, TSchema, never>, 'config' | 'credentials' | 'normalizeCredentials'>

export function servePlatform (
  { platformType }: Manifest,
  { config: configSchema, credentials: credentialsSchema, normalizeCredentials = value => value }: Definition
): ServedPlatform {
  return {
    platformType,
    examineConfig: config => compileSchema(configSchema)(config, '/config').problems,
    operatorMembers: config => findConnectionMembers(configSchema, config),
    examineCredentials (given) {
      const credentials = normalizeCredentials(given)
      const { problems, unknown } = compileSchema(credentialsSchema)(credentials, '/credentials')
      return { credentials, problems: [...problems, ...unknown] }
    }
  }
}

/** Returns the credentials in the adapter's shape. Throws when its schema refuses them. */
export function prepareCredentials (platform: ServedPlatform, given: unknown): unknown {
  const { credentials, problems } = platform.examineCredentials(given)
  refuse(problems)
  return credentials
}

export function refuse (problems: readonly FieldError[]): void {
  if (problems.length > 0) {
    throw new TypeError(`the adapter's schema refuses them: ${
      problems.map(({ pointer, message }) => `${pointer} ${message}`).join(', ')
    }`)
  }
}

export interface MemoryPlatforms {
  readonly connections: ReadonlyMap<string, TestConnection>
  put(connection: TestConnection): void
  servicesOf(platform: ServedPlatform): PlatformServices
}

export interface MemoryPlatformsOptions {
  now: () => Date
  storeCredentials(connectionId: string, credentials: unknown, platform: ServedPlatform): void
  writeValue(connectionId: string, key: string, value: unknown): void
}

interface Flow {
  platformType: string
  expiresAtMs: number
  token?: string
  dataJson?: string
  answerJson?: string
}

const answerKeptMs = 300_000

/** Creates the flows and connections of platforms in memory. */
export function createMemoryPlatforms (options: MemoryPlatformsOptions): MemoryPlatforms {
  const connections = new Map<string, TestConnection>()
  const flows = new Map<string, Flow>()
  const created = new Map<string, string>()
  return {
    connections,
    put (connection) {
      connections.set(connection.id, connection)
    },
    servicesOf: platform => ({
      ...createFlowServices(options, platform, flows),
      ...createConnectionServices(options, platform, { connections, created })
    })
  }
}

function createFlowServices (
  { now }: MemoryPlatformsOptions,
  { platformType }: ServedPlatform,
  flows: Map<string, Flow>
): Pick<PlatformServices, 'beginFlow' | 'takeFlow' | 'endFlow'> {
  return {
    async beginFlow (data, ttlSeconds) {
      const state = randomBytes(32).toString('base64url')
      flows.set(state, {
        platformType,
        expiresAtMs: now().getTime() + ttlSeconds * 1_000,
        dataJson: JSON.stringify(data)
      })
      return state
    },
    async takeFlow (state, leaseMs): Promise<TakenFlow | undefined> {
      const flow = flows.get(state)
      if (flow?.platformType !== platformType || flow.expiresAtMs <= now().getTime()) return undefined
      if (flow.answerJson !== undefined) return { kind: 'answered', answer: JSON.parse(flow.answerJson) }
      if (flow.dataJson === undefined) return { kind: 'busy' }
      const token = randomUUID()
      flows.set(state, { platformType, expiresAtMs: now().getTime() + leaseMs, token })
      return { kind: 'taken', token, data: JSON.parse(flow.dataJson) }
    },
    async endFlow (state, token, ending) {
      if (flows.get(state)?.token !== token) return
      if (ending === undefined) flows.delete(state)
      else {
        flows.set(state, {
          platformType,
          expiresAtMs: now().getTime() + answerKeptMs,
          token,
          answerJson: JSON.stringify(ending.answer)
        })
      }
    }
  }
}

type Connections = Pick<PlatformServices, 'getConnection' | 'createConnection' | 'replaceConnectionCredentials'>

function createConnectionServices (
  options: MemoryPlatformsOptions,
  platform: ServedPlatform,
  { connections, created }: { connections: Map<string, TestConnection>, created: Map<string, string> }
): Connections {
  const { platformType } = platform

  function own (id: string): TestConnection | undefined {
    const connection = connections.get(id)
    return connection?.platformType === platformType ? connection : undefined
  }

  function store (
    { id, name }: TestConnection,
    credentials: unknown,
    values: Readonly<Record<string, unknown>>
  ): WrittenConnection {
    options.storeCredentials(id, credentials, platform)
    for (const [key, value] of Object.entries(values)) options.writeValue(id, key, value)
    return { connection: { id, name } }
  }

  return {
    async getConnection (id) {
      const found = own(id)
      if (found === undefined) return undefined
      const { platformType: _own, ...connection } = structuredClone(found)
      return connection
    },
    async createConnection ({ name, config, credentials, values }, key) {
      const problems = [
        ...platform.examineConfig(config),
        ...platform.operatorMembers(config),
        ...platform.examineCredentials(credentials).problems
      ]
      if (problems.length > 0) return { problems }
      const before = own(created.get(JSON.stringify([platformType, key])) ?? '')
      if (before !== undefined) return { connection: { id: before.id, name: before.name } }
      const connection: TestConnection = { id: randomUUID(), platformType, name, status: 'active', config }
      connections.set(connection.id, connection)
      created.set(JSON.stringify([platformType, key]), connection.id)
      return store(connection, credentials, values)
    },
    async replaceConnectionCredentials (id, credentials, values) {
      const connection = own(id)
      if (connection === undefined) return undefined
      const { problems } = platform.examineCredentials(credentials)
      if (problems.length > 0) return { problems }
      if (connection.status === 'error') connections.set(id, { ...connection, status: 'active' })
      return store(connection, credentials, values)
    }
  }
}
