import { markedMembers } from '@linker/sdk/host'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { Registry } from '../adapters/registry.ts'
import { UnknownPlatformError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'
import type { KeptFacts } from './entity.ts'

/**
 * Finds the adapter that a client asks for. An unknown key or version is the client's mistake here,
 * so the hub answers 400.
 */
export function adapterFor (
  registry: Registry,
  platformType: string,
  adapterKey: string | undefined,
  adapterVersion: string | null | undefined
): LoadedAdapter {
  if (!registry.platforms().includes(platformType)) {
    throw new UnknownPlatformError(platformType, registry.platforms().join(', ') || 'none')
  }
  const key = adapterKey ?? registry.defaultKey(platformType)
  if (key === undefined) {
    throw refusal([{ pointer: '/adapterKey', code: 'required', message: describeChoice(registry, platformType) }])
  }
  const installed = registry.versions(key)
  if (installed.length === 0) {
    throw refusal([{
      pointer: '/adapterKey',
      code: 'enum',
      message: `'${key}' is not registered; registered: ${registry.keys().join(', ')}`
    }])
  }
  const adapter = registry.find(key, adapterVersion)
  const problems = [
    ...installed.some(({ manifest }) => manifest.platformType === platformType)
      ? []
      : [{
        pointer: '/adapterKey',
        code: 'platform',
        message: `'${key}' is an adapter of platform '${installed[0]?.manifest.platformType}'`
      }],
    ...adapter === undefined
      ? [{
        pointer: '/adapterVersion',
        code: 'enum',
        message: describeVersions(registry, key, adapterVersion ?? 'latest')
      }]
      : []
  ]
  if (adapter === undefined || problems.length > 0) throw refusal(problems)
  return adapter
}

function describeChoice (registry: Registry, platformType: string): string {
  const keys = registry.keys().filter(key =>
    registry.versions(key).some(({ manifest }) => manifest.platformType === platformType)
  )
  const [first = ''] = keys
  return `is required: ${
    keys.join(' and ')
  } serve '${platformType}', and it has no default. Name one here (--adapter of linker connections create), ` +
    `or make one the default in linker.config.json: "defaults": { "${platformType}": "${first}" }`
}

/**
 * A newer major version has another adapter key. An operator who names such a version may not know
 * that.
 */
function describeVersions (registry: Registry, key: string, wanted: string): string {
  const elsewhere = registry.newerMajors(key).filter(({ manifest }) =>
    registry.find(manifest.adapterKey, wanted) !== undefined
  )
  const hint = elsewhere.map(({ manifest }) =>
    `; ${manifest.adapterKey} has this version: also name it as adapterKey (--key of linker connections move)`
  ).join('')
  return `no loaded version of '${key}' fits '${wanted}'; loaded: ${
    registry.versions(key).map(({ version }) => version).join(', ')
  }${hint}`
}

/**
 * Copies facts of the adapter to the connection, because the adapter may be missing when they are
 * needed: how its webhooks are checked, read and mapped, and which members of its config are
 * secret.
 */
export function keptOf ({ description: { webhooks, config } }: LoadedAdapter): KeptFacts {
  return {
    webhookScheme: webhooks?.scheme ?? 'hmac',
    webhookEvents: webhooks?.events === undefined ? null : { ...webhooks.events },
    webhookBody: webhooks?.body ?? null,
    secretMembers: [...markedMembers(config)]
  }
}
