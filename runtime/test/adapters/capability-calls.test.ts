import { AdapterErrorCode, AuthenticationError, type Permissions } from '@linker/sdk'
import type { CapabilityAnswer, CapabilityRequest, ConnectionSnapshot } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { CallOptions } from '../../src/adapters/call-options.ts'
import {
  createCapabilityCalls,
  type CalledConnection,
  type Caller,
  type OpenCalled
} from '../../src/adapters/capability-calls.ts'
import { nameOf, type LoadedAdapter } from '../../src/adapters/load.ts'
import { fakeAdapter } from '../connections/support.ts'

const config = Type.Object({
  labels: Type.Optional(Type.String({ connection: true })),
  note: Type.Optional(Type.Any())
})
const noCall = async (): Promise<unknown> => undefined

function snapshotOf (id: string, settings: Record<string, unknown> = {}): ConnectionSnapshot {
  return { id, platformType: 'feed', config: settings, credentials: null, version: '1', credentialsVersion: ':0' }
}

function adapterWith (permissions: Permissions = { capabilities: ['acme/Labels'] }): LoadedAdapter {
  return fakeAdapter({ config, permissions, capabilities: ['acme/Parcels'] })
}

interface Made {
  adapter: LoadedAdapter
  snapshot: ConnectionSnapshot
  options: CallOptions
}

interface Calling {
  openCalled?: OpenCalled
  adapter?: LoadedAdapter
  /** The config of the calling connection. */
  settings?: Record<string, unknown>
  call?(made: Made): Promise<unknown>
  options?: Partial<Caller>
}

/** Begins a call of the connection `own` that may call capabilities. */
function begin ({ openCalled, adapter = adapterWith(), settings = { labels: 'other' }, call = noCall, options }:
  Calling = {})
{
  const made: Made[] = []
  const opened: string[] = []
  const called: CalledConnection = {
    adapter: fakeAdapter({ config }),
    snapshot: snapshotOf('other'),
    pin: { adapterKey: 'labels.api.v1', adapterVersion: '1.0.0' },
    refuse: async () => undefined
  }
  const calls = createCapabilityCalls({
    async openCalled (...args) {
      opened.push(args[0])
      return openCalled?.(...args) ?? called
    },
    async call (servedBy, snapshot, _target, _args, callOptions) {
      const one = { adapter: servedBy, snapshot, options: callOptions }
      made.push(one)
      return call(one)
    }
  })
  const connection = snapshotOf('own', settings)
  const { kept } = calls.begin('t', { adapter, connection, signal: new AbortController().signal, ...options })
  const ask = (more: Partial<CapabilityRequest> = {}): Promise<CapabilityAnswer> =>
    calls.answer(nameOf(adapter), {
      traceId: 't',
      connectionId: 'other',
      capability: 'acme/Labels',
      method: 'createLabel',
      args: [],
      ...more
    })
  return { ask, made, opened, kept }
}

t.test('the hub itself refuses a call that manifest and config do not permit, whatever the thread asks', async t => {
  const refused: [Calling, Partial<CapabilityRequest>, RegExp][] = [
    [{ settings: { note: 'other' } }, {}, /connection: true/],
    [{ settings: { labels: 'another' } }, {}, /does not name the connection 'other'/],
    [{ adapter: adapterWith({}) }, {}, /manifest does not permit/],
    [{}, { capability: 'OfferManager' }, /only the hub calls/],
    [{}, { connectionId: 'own' }, /has no 'acme\/Labels'/],
    [{ options: { connection: undefined } }, {}, /without a connection/],
    [{}, { traceId: 'another' }, /only during a call/]
  ]

  for (const [calling, request, message] of refused) {
    const { ask, opened } = begin(calling)
    t.match(await ask(request), { error: { code: AdapterErrorCode.configuration, message } })
    t.strictSame(opened, [], 'the other connection is not even opened')
  }
  t.strictSame(await begin({ call: async () => 'label' }).ask(), { value: 'label' })
})

t.test('the answer of another connection comes without its secrets, because the caller may store it', async t => {
  const { ask, made } = begin()
  await ask()

  t.equal(made[0]?.options.redactsAnswer, true)
})

t.test('the effects of another connection carry its version, and those of the caller itself none', async t => {
  const effects = { cursors: { feed: '1' }, jobs: [] }
  const third = { capability: 'acme/Weights', adapterKey: 'weights.api.v1', adapterVersion: '3.0.0' }
  const { ask, kept } = begin({
    async call ({ options }) {
      options.keep?.(effects, 'third', third)
      options.keep?.(effects, 'other')
    }
  })
  await ask()
  await ask({ connectionId: 'own', capability: 'acme/Parcels' })

  t.strictSame(kept.map(({ calledAs }) => calledAs), [
    third,
    { capability: 'acme/Labels', adapterKey: 'labels.api.v1', adapterVersion: '1.0.0' },
    third,
    undefined
  ])
})

t.test('an own capability is called with the adapter and the settings of the call under way', async t => {
  const { ask, made, opened } = begin({ call: async () => 'packed' })

  t.strictSame(await ask({ connectionId: 'own', capability: 'acme/Parcels' }), { value: 'packed' })
  t.match(made, [{ snapshot: { id: 'own', config: { labels: 'other' } }, options: { redactsAnswer: false } }])
  t.strictSame(opened, [], 'a connection that is paused, moving or not stored is not opened again')
})

t.test('credentials that the platform refuses to an own capability are those of the caller', async t => {
  const { ask } = begin({
    async call () {
      throw new AuthenticationError('the key is revoked')
    }
  })

  t.match(await ask({ connectionId: 'own', capability: 'acme/Parcels' }), {
    error: { code: AdapterErrorCode.authentication, message: 'the key is revoked' }
  })
})

t.test('a fault of the hub that may pass does not kill the calling job', async t => {
  const codes: [string, string][] = [
    ['LNK_CONNECTION_NOT_FOUND', AdapterErrorCode.configuration],
    ['LNK_CAPABILITY_NOT_SUPPORTED', AdapterErrorCode.configuration],
    ['LNK_REQUEST_INVALID', AdapterErrorCode.configuration],
    ['LNK_CONNECTION_MOVING', 'LNK_CAPABILITY_UNAVAILABLE'],
    ['LNK_CREDENTIAL_STORE_NOT_AVAILABLE', AdapterErrorCode.transient]
  ]

  for (const [code, told] of codes) {
    const openCalled = async (): Promise<never> => {
      throw Object.assign(new Error('it fails'), { code })
    }
    t.match(await begin({ openCalled }).ask(), { error: { code: told } }, code)
  }
})
