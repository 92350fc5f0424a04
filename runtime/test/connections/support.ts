import { defineAdapter } from '@linker/sdk'
import { compileSchema, describeAdapter, type Carrier } from '@linker/sdk/host'
import { Type, type TSchema } from '@sinclair/typebox'
import type { LoadedAdapter } from '../../src/adapters/load.ts'

export interface FakeAdapter {
  version?: string
  config?: TSchema
  capabilities?: string[]
  call?: Carrier['call']
}

/** An adapter of the key `feed.api.v1` without code behind it. */
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
