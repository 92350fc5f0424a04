import fp from 'fastify-plugin'
import { createAddressPolicy, createHttpClientFactory, type Log } from '@linker/sdk'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Config } from '../config.ts'
import { CapabilityNotSupportedException } from '../errors.ts'
import type { AdapterCall, CallTarget, Carrier, ConnectionSnapshot } from './carrier.ts'
import { discoverAdapters } from './discover.ts'
import { createInlineCarrier } from './inline-carrier.ts'
import { loadAdapters, type AdapterRecord, type LoadedAdapter } from './load.ts'
import { createRegistry, type Registry } from './registry.ts'

declare module 'fastify' {
  interface FastifyInstance { adapters: Adapters }
}

export interface CallOptions { signal: AbortSignal, requestId?: string }

export interface Adapters {
  readonly registry: Registry
  /** Runs one call on the adapter version that serves the connection. */
  call (adapter: LoadedAdapter, connection: ConnectionSnapshot, target: CallTarget, args: readonly unknown[], options: CallOptions): Promise<unknown>
  forget (connectionId: string): void
}

/** Loads the adapters of the operator's project. Bad ones are in the records with their reason; it does not throw for them. */
export async function readAdapters (config: Pick<Config, 'projectDirectory' | 'file'>): Promise<AdapterRecord[]> {
  return loadAdapters(config.projectDirectory, await discoverAdapters(config.projectDirectory, config.file))
}

// Outside production a shop or a simulator on the same machine is what people try first.
const loopback = ['127.0.0.0/8', '::1/128']

export default fp<{ config: Config, now: () => Date }>(async (app, { config, now }) => {
  const registry = createRegistry(await readAdapters(config), new Map(Object.entries(config.file.defaults ?? {})))
  const currentCall = new AsyncLocalStorage<AdapterCall>()
  const log = app.log.child({ component: 'adapter' })
  const allow = [...(config.file.outbound?.allow ?? []), ...(config.isProduction ? [] : loopback)]
  const outbound = createHttpClientFactory({
    addressPolicy: createAddressPolicy({ allow }),
    currentCall: () => currentCall.getStore(),
    onRequest: event => { log.info({ ...event, connectionId: currentCall.getStore()?.connection.id }, 'upstream call') }
  })
  const platforms = new Map(Object.entries(config.file.platforms ?? {}))
  const carriers = new Map<LoadedAdapter, Carrier>()

  function carrierOf (adapter: LoadedAdapter): Carrier {
    const existing = carriers.get(adapter)
    if (existing !== undefined) return existing
    const platformSettings = Object.freeze(structuredClone(platforms.get(adapter.manifest.platformType) ?? {}))
    const made = createInlineCarrier({ adapter, http: outbound.http, platformSettings, log: asLog(log, adapter), now, currentCall })
    carriers.set(adapter, made)
    return made
  }

  app.decorate('adapters', {
    registry,
    call (adapter, connection, target, args, options) {
      if (target.kind === 'capability' && !adapter.supportedCapabilities.includes(target.capability)) {
        throw new CapabilityNotSupportedException(adapter.manifest.adapterKey, target.capability)
      }
      return carrierOf(adapter).call({ connection, target, args, ...options })
    },
    forget (connectionId) {
      for (const carrier of carriers.values()) carrier.forget(connectionId)
    }
  })
  app.addHook('onClose', () => outbound.close())
}, { name: 'adapters' })

function asLog (log: { child (bindings: object): Log }, adapter: LoadedAdapter): Log {
  return log.child({ adapter: `${adapter.manifest.adapterKey}@${adapter.version}` })
}
