import { createFillDefaults } from '@linker/sdk/host'
import type { Registry } from '../adapters/registry.ts'
import type { Connection } from './entity.ts'
import type { ConnectionView } from './schemas.ts'
import { withoutSecretMembers } from './validate.ts'

/**
 * Returns the config with the defaults of the adapter that serves the connection, or nothing while
 * none does.
 */
export type EffectiveConfigOf = (connection: Connection) => Pick<ConnectionView, 'effectiveConfig'>

export function createEffectiveConfigOf (adapters: { readonly registry: Registry }): EffectiveConfigOf {
  // Compiling a schema takes longer than the rest of an answer.
  const known = new WeakMap<object, ReturnType<typeof createFillDefaults>>()

  function fillOf (schema: object): ReturnType<typeof createFillDefaults> {
    const fill = known.get(schema) ?? createFillDefaults(schema)
    known.set(schema, fill)
    return fill
  }

  return function effectiveConfigOf (connection) {
    const adapter = adapters.registry.find(connection.adapterKey, connection.adapterVersion)
    if (adapter === undefined) return {}
    const config = fillOf(adapter.description.config)(connection.config)
    return { effectiveConfig: withoutSecretMembers(adapter, { ...connection, config }) }
  }
}
