import { ConfigurationError, readPlatformSettings, type FieldError } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import type { Config } from './config.ts'

const Environment = Type.Object({ baseUrl: Type.Optional(Type.String({ minLength: 1 })) })

/**
 * The operator's settings for this marketplace as a whole: `platforms.mktb` in linker.config.json.
 */
const PlatformSettings = Type.Object({
  production: Type.Optional(Environment),
  sandbox: Type.Optional(Environment),
  /** The hosts that a connection's `baseUrl` may name, each with its subdomains. */
  ownedHosts: Type.Optional(Type.Array(Type.String({ minLength: 1 })))
})

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Returns the address that receives the connection's requests and its key. */
export function resolveBaseUrl (
  config: Pick<Config, 'baseUrl' | 'environment'>,
  platform: Readonly<Record<string, unknown>>
): string {
  const settings = readSettings(platform)
  const override = config.baseUrl?.trim() ?? ''
  const problem = overrideProblem(override, settings.ownedHosts ?? [])
  if (problem !== undefined) throw new ConfigurationError(`config.baseUrl ${problem}`)
  if (override !== '') return override

  const { environment } = config
  const baseUrl = settings[environment]?.baseUrl
  if (baseUrl === undefined) {
    throw new ConfigurationError(`platforms.mktb.${environment}.baseUrl is not set in linker.config.json`)
  }
  return baseUrl
}

/** Checks the address of a config before the hub stores it. */
export function checkConfig (
  { baseUrl = '' }: Pick<Config, 'baseUrl'>,
  { platform }: { platform: Readonly<Record<string, unknown>> }
): FieldError[] {
  const problem = overrideProblem(baseUrl.trim(), readSettings(platform).ownedHosts ?? [])
  return problem === undefined ? [] : [{ pointer: '/baseUrl', code: 'invalid', message: problem }]
}

function overrideProblem (override: string, ownedHosts: readonly string[]): string | undefined {
  if (override === '') return undefined
  const url = URL.parse(override)
  if (url === null) return 'is not a URL'
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password'

  const { hostname: host, protocol } = url
  if (!ownedHosts.some(owned => isWithin(host, owned.toLowerCase()))) {
    return `names the host '${host}', which is not one of platforms.mktb.ownedHosts, nor below one`
  }
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(host))
    ? undefined
    : `must be https, '${protocol}//${host}' is not`
}

// Compare whole labels: a plain suffix test would accept notmarketplace.example, a prefix test
// marketplace.example.evil.com.
function isWithin (host: string, owned: string): boolean {
  return host === owned || host.endsWith(`.${owned}`)
}

function readSettings (platform: Readonly<Record<string, unknown>>): Static<typeof PlatformSettings> {
  return readPlatformSettings(PlatformSettings, 'mktb', platform)
}
