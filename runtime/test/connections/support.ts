import { defineAdapter, type Permissions } from '@linker/sdk'
import { compileSchema, describeAdapter, type AdapterDescription, type Carrier } from '@linker/sdk/host'
import { Type, type TSchema } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import type { AdapterCarrier } from '../../src/adapters/carriers.ts'
import type { LoadedAdapter } from '../../src/adapters/load.ts'
import { createRegistry, type Registry } from '../../src/adapters/registry.ts'
import type { Connection } from '../../src/connections/entity.ts'
import type { OpenConnection } from '../../src/connections/open-connection.ts'

export interface FakeAdapter {
  adapterKey?: string
  platformType?: string
  version?: string
  config?: TSchema
  credentials?: TSchema
  capabilities?: string[]
  permissions?: Permissions
  /** The text in which its author says what to use in its place. */
  deprecated?: string
  /** Members of the description that differ from those of an adapter that can do nothing. */
  described?: Partial<AdapterDescription>
  call?: Carrier['call']
  health?: AdapterCarrier['health']
  forget?: AdapterCarrier['forget']
}

/** An adapter without code behind it, of the key `feed.api.v1` unless the test names another. */
export function fakeAdapter ({
  adapterKey = 'feed.api.v1',
  platformType = 'feed',
  version = '1.0.0',
  config = Type.Object({}),
  credentials = Type.Null(),
  capabilities = [],
  permissions = {},
  deprecated,
  described = {},
  call = async () => ({ value: undefined, effects: { cursors: {}, jobs: [] } }),
  health = () => ({ state: 'ready' }),
  forget = () => undefined
}: FakeAdapter = {}): LoadedAdapter {
  const description = {
    ...describeAdapter(defineAdapter({
      config,
      credentials,
      connect: () => null,
      account: async () => ({ id: '1', name: 'Test' }),
      capabilities: {}
    })),
    hasAccount: false,
    ...described
  }
  return {
    packageName: `${platformType}-${version}`,
    selfName: platformType,
    isLocal: false,
    isolation: 'inline',
    directory: '',
    version,
    manifest: { adapterKey, platformType, displayName: platformType, capabilities, permissions, deprecated },
    description,
    validateConfig: compileSchema(description.config),
    validateCredentials: compileSchema(description.credentials),
    supportedCapabilities: capabilities,
    carrier: {
      call,
      forget,
      isolation: () => 'inline',
      health,
      moveToWorker: () => undefined,
      redact: value => value,
      close: async () => undefined
    }
  }
}

/** Options of connections whose platforms name no accounts. */
export const noAccounts = {
  adapters: {
    call: async () => undefined,
    beginTrial: () => ({
      connectionId: randomUUID(),
      hasRenewed: () => false,
      readCredentials: async () => ({}),
      end: () => undefined
    })
  },
  takeOver: async () => [],
  onSalesRule: async () => undefined,
  log: { info: () => undefined, warn: () => undefined }
}

/** A carrier's function that answers the value of `answer`, without effects. */
export function answering (answer: (call: Parameters<Carrier['call']>[0]) => unknown): Carrier['call'] {
  return async call => ({ value: await answer(call), effects: { cursors: {}, jobs: [] } })
}

export function registryOf (...adapters: readonly LoadedAdapter[]): Registry {
  return createRegistry(
    adapters.map(adapter => ({ packageName: adapter.packageName, isRequired: false, found: adapter, adapter })),
    new Map()
  )
}

/** An active connection of the fake adapter, as it is read from the database. */
export function fakeConnection (more: Partial<Connection> = {}): Connection {
  return {
    id: randomUUID(),
    platformType: 'feed',
    name: 'Feed',
    status: 'active',
    statusReason: null,
    config: {},
    settings: {},
    credentialsRef: null,
    adapterKey: 'feed.api.v1',
    adapterVersion: '1.0.0',
    capabilities: [],
    webhookScheme: 'hmac',
    webhookEvents: null,
    webhookBody: null,
    webhookRules: null,
    isMoving: false,
    pauses: [],
    secretMembers: [],
    installingUntil: null,
    accountId: null,
    accountName: null,
    accountShared: null,
    ordersSince: null,
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    deletedAt: null,
    ...more
  }
}

/** A connection that is open for calls of its adapter. */
export function fakeOpened (connection: Connection, adapter: LoadedAdapter): OpenConnection {
  const { id, platformType, config } = connection
  return {
    connection,
    adapter,
    snapshot: { id, platformType, config, credentials: null, version: '1', credentialsVersion: ':0' }
  }
}

export interface Ability {
  id?: string
  /** The methods of the adapter by capability; null when nobody knows them. */
  methods?: AdapterDescription['capabilities']
  /** The capabilities that the operator enabled. Default: all that the adapter has. */
  enabled?: readonly string[]
  visibleAfterMs?: number
}

/** A connection that is open for calls of an adapter with these methods. */
export function openedConnection ({ id, methods = {}, enabled = Object.keys(methods), visibleAfterMs }: Ability =
  {}): OpenConnection
{
  const adapter = fakeAdapter({
    capabilities: Object.keys(methods),
    described: {
      capabilities: methods,
      ...(visibleAfterMs === undefined ? {} : { offers: { visibleAfterMs } })
    }
  })
  return fakeOpened(fakeConnection({ ...(id === undefined ? {} : { id }), capabilities: [...enabled] }), adapter)
}
