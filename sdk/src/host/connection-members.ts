import { ConfigurationError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import type { FieldError } from '../schemas/values.ts'
import { permitsCapability } from './permissions.ts'
import { escapePointer } from './pointer.ts'

const vendorCapability = /^[^/]+\/[^/]+$/

/** The connection of an adapter that calls a capability. */
export interface CallingConnection {
  manifest: Pick<Manifest, 'capabilities' | 'permissions'>
  id: string
  /** The config as the operator wrote it: a default of the adapter's schema permits no call. */
  config: unknown
  configSchema: object
}

/** Lists the members of a config that name a connection: `connection: true` in the schema. */
function connectionMembers (schema: object): string[] {
  const properties = 'properties' in schema
    ? Object.entries(schema.properties as Record<string, { connection?: unknown }>)
    : []
  return properties.filter(([, member]) => member.connection === true).map(([name]) => name)
}

/** Lists the members of an adapter's config that only an operator may set. */
export function findConnectionMembers (schema: object, config: object): FieldError[] {
  return connectionMembers(schema).filter(name => Object.hasOwn(config, name)).map(name => ({
    pointer: `/config/${escapePointer(name)}`,
    code: 'operator-only',
    message: 'names a connection to call: only an operator sets it'
  }))
}

/**
 * Throws a `ConfigurationError` unless the connection may call the capability. The adapter's thread
 * checks this for a clear error; the hub checks it again, because an adapter controls its thread.
 */
export function permitCapabilityCall (
  { manifest, id, config, configSchema }: CallingConnection,
  { capability, connectionId }: { capability: string, connectionId: string }
): void {
  if (!vendorCapability.test(capability)) {
    throw new ConfigurationError(`only the hub calls '${capability}': adapters call capabilities of third parties, ` +
      'such as acme/Labels')
  }
  if (connectionId === id) {
    if (manifest.capabilities.includes(capability)) return
    throw new ConfigurationError(`the adapter itself has no '${capability}': name the connection to call`)
  }
  if (!permitsCapability(manifest.permissions, capability)) {
    const permitted = JSON.stringify(manifest.permissions?.capabilities ?? [])
    throw new ConfigurationError(`the manifest does not permit calls of '${capability}': ` +
      `permissions.capabilities is ${permitted}`)
  }
  const marked = connectionMembers(configSchema)
  if (marked.some(name => containsText(memberOf(config, name), connectionId))) return
  const members = marked.length === 0 ? 'its schema marks no member' : `marked: ${marked.join(', ')}`
  throw new ConfigurationError(`the config does not name the connection '${connectionId}', so its ${capability} ` +
    `cannot be called: take the id from a member that the schema marks with \`connection: true\` (${members})`)
}

function memberOf (config: unknown, name: string): unknown {
  return typeof config === 'object' && config !== null && Object.hasOwn(config, name)
    ? Reflect.get(config, name)
    : undefined
}

/** Whether the member has this text as a value, at any depth. */
function containsText (value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text
  return typeof value === 'object' && value !== null && Object.values(value).some(member => containsText(member, text))
}
