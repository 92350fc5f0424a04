import { ConfigurationError, RejectedError } from '../errors.ts'
import type { Manifest } from '../manifest.ts'
import type { PlatformConnections } from '../route.ts'
import { deepFreeze } from './context.ts'
import type { SettingsDefaults } from './defaults.ts'
import { HostError } from './host-error.ts'
import { createKeyValueStore } from './key-values.ts'
import { collectMarked, collectSecrets, type CallSecrets } from './redact.ts'
import type { HostServices, WrittenConnection } from './services.ts'
import {
  checkedConfig,
  checkedConnectionKey,
  checkedCredentials,
  checkedLabel,
  checkedName,
  checkedValues
} from './storable.ts'

/**
 * The pattern of connection names, for people. Control characters forge lines in lists and logs,
 * PostgreSQL refuses NUL, and half of a surrogate pair is not text.
 */
export const connectionNamePattern = /^[^\p{Cc}\p{Cs}\p{Z}][^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{0,199}$/u

export interface PlatformConnectionsOptions {
  manifest: Manifest
  /** The adapter's schemas. */
  schemas: { config: object, credentials: object }
  defaults: SettingsDefaults
  services: HostServices
  secrets: CallSecrets
}

/** Creates the connections of an adapter's platform for one call. */
export function createPlatformConnections (options: PlatformConnectionsOptions): PlatformConnections<
  Record<string, unknown>
> {
  const { manifest: { permissions }, schemas, defaults, services, secrets } = options

  function permit (): void {
    if (permissions?.connections !== true) {
      throw new ConfigurationError('the manifest does not permit the use of host.connections: ' +
        'permissions.connections is not true')
    }
  }

  function keepCredentials (given: unknown): unknown {
    const credentials = checkedCredentials(given)
    secrets.add(credentials)
    secrets.addMarked(collectSecrets(schemas.credentials, credentials))
    return credentials
  }

  function keepConfig (config: object): void {
    const marked = collectMarked(schemas.config, config)
    secrets.add(marked)
    secrets.addMarked(marked)
  }

  return Object.freeze<PlatformConnections<Record<string, unknown>>>({
    async get (connectionId) {
      permit()
      const found = await services.getConnection(checkedName(connectionId))
      if (found === undefined) return undefined
      keepConfig(found.config)
      return Object.freeze({
        ...found,
        config: deepFreeze(defaults.config(found.config)),
        kv: createKeyValueStore(services, connectionId)
      })
    },
    async create ({ name, config, credentials, credentialsLabel, values = {} }, { key }) {
      permit()
      checkName(name)
      keepConfig(config)
      const created = await services.createConnection({
        name,
        config: checkedConfig(config),
        credentials: keepCredentials(credentials),
        values: checkedValues(values),
        credentialsLabel: checkedLabel(credentialsLabel)
      }, checkedConnectionKey(key))
      return unwrap(created)
    },
    async replaceCredentials (connectionId, credentials, values = {}) {
      permit()
      const replaced = await services.replaceConnectionCredentials(
        checkedName(connectionId),
        keepCredentials(credentials),
        checkedValues(values)
      )
      return replaced === undefined ? undefined : unwrap(replaced)
    }
  })
}

function checkName (name: string): void {
  if (connectionNamePattern.test(name)) return
  throw new RejectedError('the connection is refused', {
    fields: [{
      pointer: '/name',
      code: 'pattern',
      message: 'is one line of 1 to 200 characters that does not start with a space'
    }]
  })
}

function unwrap (written: WrittenConnection): { id: string, name: string } {
  if ('connection' in written) return written.connection
  if ('failure' in written) throw new HostError(written.failure.code, written.failure.message)
  throw new RejectedError('the connection is refused', { fields: written.problems })
}
