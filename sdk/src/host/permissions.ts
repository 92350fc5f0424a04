import { ConfigurationError } from '../errors.ts'
import type { HttpClientFactory } from '../http/http.ts'
import type { Permissions } from '../manifest.ts'

/** The values of the placeholders in `permissions.http`. */
export interface PermissionSettings {
  config?: unknown
  credentials?: unknown
  platform: unknown
}

/**
 * Whether a manifest permits a job type: it names the type, or the type starts with a name before
 * `.*`.
 */
export function permitsJob (permissions: Permissions | undefined, jobType: string): boolean {
  return (permissions?.jobs ?? []).some(permitted =>
    permitted.endsWith('.*') ? jobType.startsWith(permitted.slice(0, -1)) : permitted === jobType
  )
}

/** Whether a manifest permits calls of a capability on other connections. */
export function permitsCapability (permissions: Permissions | undefined, capability: string): boolean {
  return permissions?.capabilities?.includes(capability) === true
}

/** Wraps the factory: refuses every base URL whose origin the manifest does not permit. */
export function permittedHttp (
  http: HttpClientFactory,
  permissions: Permissions | undefined,
  settings: PermissionSettings
): HttpClientFactory {
  const permitted = (permissions?.http ?? []).flatMap(entry => originsOf(entry, settings))
  return options => {
    const origin = URL.parse(options.baseUrl)?.origin
    // The client itself refuses an invalid URL and says why.
    if (origin !== undefined && !permitted.some(allowed => matches(allowed, origin))) {
      throw new ConfigurationError(`the manifest does not permit requests to ${origin}: permissions.http is ${
        JSON.stringify(permissions?.http ?? [])
      }`)
    }
    return http(options)
  }
}

function originsOf (entry: string, settings: PermissionSettings): string[] {
  const placeholder = /^\$\{(config|credentials|platform)\.([A-Za-z0-9_.]+)\}$/.exec(entry)
  if (placeholder === null) return [entry]
  const [, root, path = ''] = placeholder
  const { config, credentials, platform } = settings
  const roots: Readonly<Record<string, unknown>> = { config, credentials, platform }
  const value = path.split('.').reduce<unknown>(memberOf, roots[root ?? ''])
  const origin = typeof value === 'string' ? URL.parse(value.trim())?.origin : undefined
  return origin === undefined || origin === 'null' ? [] : [origin]
}

function memberOf (value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}

/** `https://*.example.com` stands for every host below example.com, on the same scheme and port. */
function matches (allowed: string, origin: string): boolean {
  const [scheme = '', host = ''] = allowed.split('://*.')
  if (host === '') return URL.parse(allowed)?.origin === origin
  return origin.startsWith(`${scheme}://`) && origin.endsWith(`.${host}`)
}
