import { isDeepStrictEqual } from 'node:util'
import { mergeConfig } from '../../connections/merge-config.ts'
import type { HubState } from './hub-state.ts'
import type { Fault } from './read-declaration.ts'
import type { Declaration, DeclaredConnection } from './schema.ts'
import type { MemberChange, Step } from './step.ts'

/** Credentials of connections that are to be created, by their names. */
export type Credentials = ReadonlyMap<string, unknown>

type Connection = HubState['connections'][number]

/** Plans connections: creates those that are missing, and changes those that differ. */
export function planConnections (
  { connections = [] }: Declaration,
  { connections: present }: Pick<HubState, 'connections'>,
  credentials: Credentials = new Map()
): { steps: Step[], faults: Fault[] } {
  const byName = new Map(present.map(connection => [connection.name, connection]))
  const faults: Fault[] = []
  const steps = connections.flatMap((declared, index) => {
    const pointer = `/connections/${index}`
    if (connections.findIndex(({ name }) => name === declared.name) !== index) {
      faults.push({ pointer: `${pointer}/name`, message: `'${declared.name}' is declared twice` })
      return []
    }
    const connection = byName.get(declared.name)
    if (connection === undefined) return [creationOf(declared, credentials.get(declared.name))]
    faults.push(...fixedFaults(declared, connection, pointer))
    return changeOf(declared, connection)
  })
  return { steps, faults }
}

function creationOf (
  { name, platformType, adapterKey, allowSameAccount, capabilities, config, settings }: DeclaredConnection,
  credentials: unknown
): Step {
  return {
    object: 'connection',
    name,
    action: 'create',
    changes: [],
    request: {
      method: 'POST',
      path: '/connections',
      body: {
        name,
        platformType,
        adapterKey,
        allowSameAccount,
        capabilities,
        config,
        settings: settings === undefined ? undefined : mergeConfig({}, settings),
        credentials
      }
    }
  }
}

function fixedFaults (
  { name, platformType, adapterKey }: DeclaredConnection,
  connection: Connection,
  pointer: string
): Fault[] {
  if (platformType !== connection.platformType) {
    const message = `connection '${name}' (${connection.id}) is of platform '${connection.platformType}': give the ` +
      'declared one another name'
    return [{ pointer: `${pointer}/platformType`, message }]
  }
  if (adapterKey === undefined || adapterKey === connection.adapterKey) return []
  const message = `connection '${name}' has adapter '${connection.adapterKey}': linker connections move changes it`
  return [{ pointer: `${pointer}/adapterKey`, message }]
}

function changeOf (
  { name, capabilities, config = {}, settings = {} }: DeclaredConnection,
  connection: Connection
): Step[] {
  const ofConfig = diff('/config', connection.config, mergeConfig(connection.config, config))
  const ofSettings = changedSettings(connection.settings, settings)
  const changes = [...ofConfig, ...ofSettings]
  const body: Record<string, unknown> = {
    ...ofConfig.length === 0 ? {} : { config },
    ...ofSettings.length === 0 ? {} : { settings }
  }
  if (capabilities !== undefined && !haveSameItems(capabilities, connection.capabilities)) {
    changes.push({
      pointer: '/capabilities',
      from: connection.capabilities.toSorted(),
      to: capabilities.toSorted()
    })
    body.capabilities = capabilities
  }
  if (changes.length === 0) return []
  const request = { method: 'PATCH' as const, path: `/connections/${connection.id}`, body }
  return [{ object: 'connection', name, action: 'change', changes, request }]
}

/** No setting is secret, so a new one shows its value. */
function changedSettings (
  before: Connection['settings'],
  declared: NonNullable<DeclaredConnection['settings']>
): MemberChange[] {
  const former = new Map(Object.entries(before))
  return Object.entries(declared).flatMap(([name, value]) => {
    const [from, to] = [former.get(name), value ?? undefined]
    const pointer = `/settings/${name}`
    return from === to ? [] : [{ pointer, ...from === undefined ? {} : { from }, ...to === undefined ? {} : { to } }]
  })
}

function haveSameItems (one: readonly string[], other: readonly string[]): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other))
}

/** Lists the members in which two values differ. Compares arrays as a whole. */
function diff (pointer: string, from: unknown, to: unknown): MemberChange[] {
  if (isDeepStrictEqual(from, to)) return []
  if (!isObject(from) || !isObject(to)) {
    // The hub shows no secret members: a member that seems to be new may be one.
    return [{ pointer, ...from === undefined || to === undefined ? {} : { to }, ...from === undefined ? {} : { from } }]
  }
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap(name => diff(`${pointer}/${name}`, from[name], to[name]))
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
