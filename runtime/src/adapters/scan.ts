import type { HostServices } from '@linker/sdk/host'
import type { Config } from '../config.ts'
import { outboundAllowOf, readAdapters } from './adapters.ts'
import { createCarrierHost } from './carriers.ts'
import type { AdapterRecord } from './load.ts'

/**
 * Loads the adapters of a project as the hub would, but without a hub, so that import and init have
 * no database. Each adapter runs in its own thread, wherever the hub would run it: a scan has no
 * guard against an adapter that blocks or leaves an error behind.
 */
export async function scanAdapters (config: Config): Promise<AdapterRecord[]> {
  const host = createCarrierHost({ outboundAllow: outboundAllowOf(config), now: () => new Date() })
  try {
    return (await readAdapters(
      { ...config, file: withoutRequired(config.file), isolate: { has: () => true } },
      host,
      () => noServices
    )).records
  } finally {
    await host.close()
  }
}

/** A scan shows required adapters that are missing, instead of throwing. */
function withoutRequired (file: Config['file']): Config['file'] {
  return {
    ...file,
    strict: false,
    adapters: file.adapters?.map(entry => typeof entry === 'string' ? entry : { ...entry, required: false })
  }
}

const silent = new Set(['log', 'count', 'observe', 'upstream'])
const noServices = new Proxy({}, {
  get: (_target, name) =>
    silent.has(String(name))
      ? () => undefined
      : () => Promise.reject(new Error('there is no hub while adapters are scanned'))
}) as HostServices
