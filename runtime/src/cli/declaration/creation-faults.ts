import type { AdapterView } from '../../adapters/view.ts'
import type { Judged } from '../../connections/try-settings.ts'
import type { HubClient } from '../hub-client.ts'
import type { Credentials } from './plan-connections.ts'
import type { Fault } from './read-declaration.ts'
import type { Declaration, DeclaredConnection } from './schema.ts'
import type { Step } from './step.ts'

/** Checks the settings of connections that are to be created, as their creation does. */
export async function creationFaults (
  hub: HubClient,
  { connections = [] }: Declaration,
  steps: readonly Step[],
  credentials: Credentials
): Promise<Fault[]> {
  const created = new Set(steps.flatMap(({ action, name }) => action === 'create' ? [name] : []))
  if (created.size === 0) return []
  const adapters = await hub.call('GET', '/adapters') as AdapterView[]
  const faults: Fault[] = []
  for (const [index, declared] of connections.entries()) {
    if (!created.has(declared.name)) continue
    faults.push(...await faultsOf(hub, adapters, declared, `/connections/${index}`, credentials.get(declared.name)))
  }
  return faults
}

async function faultsOf (
  hub: HubClient,
  adapters: readonly AdapterView[],
  { name, platformType, adapterKey, config = {} }: DeclaredConnection,
  pointer: string,
  credentials: unknown
): Promise<Fault[]> {
  const adapter = adapters.find(found =>
    found.platformType === platformType &&
    (adapterKey === undefined ? found.isDefault : found.adapterKey === adapterKey)
  )
  const key = adapter?.adapterKey
  if (key === undefined || key === null) {
    const member = adapterKey === undefined ? 'platformType' : 'adapterKey'
    const wanted = adapterKey === undefined ? 'a default adapter' : `adapter '${adapterKey}'`
    return [{ pointer: `${pointer}/${member}`, message: `the hub has no ${wanted} of platform '${platformType}'` }]
  }
  const path = `/adapters/${encodeURIComponent(key)}/config/validate`
  // Without the member, the hub would not look at credentials.
  const { errors } = await hub.call('POST', path, { config, credentials: credentials ?? {} }) as Judged
  return errors.map(error =>
    error.pointer.startsWith('/credentials')
      ? { pointer, message: `credentials of '${name}': ${error.message}; give them with --credentials` }
      : { pointer: pointer + error.pointer, message: error.message }
  )
}
