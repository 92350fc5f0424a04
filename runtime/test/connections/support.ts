import { defineAdapter } from '@linker/sdk'
import { compileSchema, describeAdapter, type AdapterDescription, type Carrier } from '@linker/sdk/host'
import { Type, type TSchema } from '@sinclair/typebox'
import type { LoadedAdapter } from '../../src/adapters/load.ts'
import type { Connection } from '../../src/connections/entity.ts'
import type { OpenConnection } from '../../src/connections/open-connection.ts'

export interface FakeAdapter {
  version?: string
  config?: TSchema
  capabilities?: string[]
  call?: Carrier['call']
}

/** Makes an adapter of the key `feed.api.v1` without any code. */
export function fakeAdapter ({
  version = '1.0.0',
  config = Type.Object({}),
  capabilities = [],
  call = async () => ({ value: undefined, effects: { cursors: {}, jobs: [] } })
}: FakeAdapter = {}): LoadedAdapter {
  const description =
    describeAdapter(defineAdapter({ config, credentials: Type.Null(), connect: () => null, capabilities: {} }))
  return {
    packageName: `feed-${version}`,
    selfName: 'feed',
    isLocal: false,
    isolation: 'inline',
    directory: '',
    version,
    manifest: { adapterKey: 'feed.api.v1', platformType: 'feed', displayName: 'Feed', capabilities },
    description,
    validateConfig: compileSchema(description.config),
    validateCredentials: compileSchema(description.credentials),
    supportedCapabilities: capabilities,
    carrier: {
      call,
      forget: () => undefined,
      isolation: () => 'inline',
      health: () => ({ state: 'ready' }),
      moveToWorker: () => undefined,
      redact: value => value,
      close: async () => undefined
    }
  }
}

const adapter = fakeAdapter()

/** An active connection that `fakeAdapter` serves, open for a call. */
export function openedConnection (
  members: Partial<Connection> = {},
  description: Partial<AdapterDescription> = {}
): OpenConnection {
  const { adapterKey, platformType } = adapter.manifest
  const connection: Connection = {
    id: '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10',
    platformType,
    name: 'Feed',
    status: 'active',
    statusReason: null,
    config: {},
    credentialsRef: null,
    adapterKey,
    adapterVersion: adapter.version,
    capabilities: [],
    webhookScheme: 'hmac',
    webhookEvents: null,
    webhookBody: null,
    isMoving: false,
    secretMembers: [],
    installingUntil: null,
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...members
  }
  return {
    connection,
    adapter: { ...adapter, description: { ...adapter.description, ...description } },
    snapshot: { id: connection.id, platformType, config: {}, credentials: null, version: '1' },
    credentialsVersion: '1'
  }
}
