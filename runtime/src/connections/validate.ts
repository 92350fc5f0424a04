import { FieldError, isAdapterError } from '@linker/sdk'
import { findDeprecated, markedMembers, type SchemaProblem } from '@linker/sdk/host'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { LoadedAdapter } from '../adapters/load.ts'
import { refusal } from '../http/refusal.ts'
import type { Connection } from './entity.ts'

/** Throws the 400 that names each problem, when there is any. */
export function refuse (problems: readonly SchemaProblem[]): void {
  if (problems.length > 0) throw refusal(problems)
}

const checkTimeoutMs = 5_000
const Problems = Type.Array(FieldError)

/**
 * Asks the adapter whether it can use a config. Returns the problems that the adapter finds.
 * Returns none when the config does not fit the schema: `validateConfig` reports those problems.
 */
export async function findAdapterProblems (
  adapter: LoadedAdapter,
  config: Record<string, unknown>
): Promise<SchemaProblem[]> {
  if (!adapter.description.checksConfig || adapter.validateConfig(config, '/config').problems.length > 0) return []
  try {
    const { value } = await adapter.carrier.call({
      target: { kind: 'checkConfig' },
      args: [config],
      signal: AbortSignal.timeout(checkTimeoutMs)
    })
    if (!Value.Check(Problems, value)) {
      throw new TypeError(`checkConfig of ${adapter.manifest.adapterKey} must return a list of problems`)
    }
    return value.map(({ pointer, code, message }) => ({ pointer: `/config${pointer}`, code, message }))
  } catch (error) {
    // An adapter that is away cannot judge. Let the config through: this change may bring the
    // adapter back.
    if (error instanceof Error && 'code' in error && error.code === 'LNK_ADAPTER_UNAVAILABLE') return []
    // An adapter may refuse because of the operator's own settings, for instance.
    if (isAdapterError(error)) return [{ pointer: '/config', code: 'configuration', message: error.message }]
    throw error
  }
}

/**
 * Checks a whole config against the schema of its adapter. Returns warnings: the members that the
 * adapter does not know, and those that it marks as deprecated.
 */
export function checkConfig (adapter: LoadedAdapter, config: Record<string, unknown>): SchemaProblem[] {
  const { problems, unknown } = adapter.validateConfig(config, '/config')
  refuse(problems)
  return [...unknown, ...deprecatedMembers(adapter, config)]
}

/** Lists the members of a config that its adapter marks as deprecated, as warnings. */
export function deprecatedMembers (
  { description }: Pick<LoadedAdapter, 'description'>,
  config: Record<string, unknown>
): SchemaProblem[] {
  return findDeprecated(description.config, config, '/config')
}

/** Brings credentials into the adapter's one shape and checks them. */
export async function checkCredentials (
  adapter: LoadedAdapter,
  credentials: unknown
): Promise<Record<string, unknown>> {
  const normalized = adapter.description.normalizesCredentials ? await normalize(adapter, credentials) : credentials
  if (typeof normalized !== 'object' || normalized === null) {
    refuse([{ pointer: '/credentials', code: 'type', message: 'must be an object' }])
  }
  const { problems, unknown } = adapter.validateCredentials(normalized, '/credentials')
  refuse([...problems, ...unknown])
  return { ...(normalized as Record<string, unknown>) }
}

/**
 * Lists every problem of a config, and of credentials when they are given. Returns the problems and
 * does not throw them. Also returns the credentials in the adapter's shape, or null when there are
 * none or they have problems.
 */
export async function examineConnection (
  adapter: LoadedAdapter,
  config: Record<string, unknown>,
  credentials?: unknown
): Promise<{
  errors: readonly SchemaProblem[],
  warnings: readonly SchemaProblem[],
  credentials: Record<string, unknown> | null
}> {
  const { problems: misfits, unknown } = adapter.validateConfig(config, '/config')
  const problems = [...misfits, ...await findAdapterProblems(adapter, config)]
  const warnings = [...unknown, ...deprecatedMembers(adapter, config)]
  if (credentials === undefined) return { errors: problems, warnings, credentials: null }
  try {
    const checked = await checkCredentials(adapter, credentials)
    const ofCredentials = findDeprecated(adapter.description.credentials, checked, '/credentials')
    return { errors: problems, warnings: [...warnings, ...ofCredentials], credentials: checked }
  } catch (error) {
    if (!(error instanceof Error && 'errors' in error)) throw error
    return { errors: [...problems, ...error.errors as SchemaProblem[]], warnings, credentials: null }
  }
}

const normalizeTimeoutMs = 5_000

async function normalize (adapter: LoadedAdapter, credentials: unknown): Promise<unknown> {
  const { value } = await adapter.carrier.call({
    target: { kind: 'normalizeCredentials' },
    args: [credentials],
    signal: AbortSignal.timeout(normalizeTimeoutMs)
  })
  return value
}

/** Whether the adapter works without credentials. */
export function needsNoCredentials (adapter: LoadedAdapter): boolean {
  return 'type' in adapter.description.credentials && adapter.description.credentials.type === 'null'
}

/** Returns the wanted capabilities; by default all of the adapter's. */
export function checkCapabilities (adapter: LoadedAdapter, wanted: readonly string[] | undefined): string[] {
  if (wanted === undefined) return [...adapter.supportedCapabilities]
  refuse(wanted.filter(name => !adapter.supportedCapabilities.includes(name)).map(name => ({
    pointer: '/capabilities',
    code: 'enum',
    message: `'${name}' is not a capability of ${adapter.manifest.adapterKey}; it has ${
      adapter.supportedCapabilities.join(', ') || 'none'
    }`
  })))
  return [...wanted]
}

/**
 * Removes the members of `config` that were secret when it was stored, and those that are secret
 * for the adapter that serves now.
 */
export function withoutSecretMembers (
  adapter: LoadedAdapter | undefined,
  { config, secretMembers }: Pick<Connection, 'config' | 'secretMembers'>
): Record<string, unknown> {
  const secret = new Set([...secretMembers, ...markedMembers(adapter?.description.config ?? {})])
  return Object.fromEntries(Object.entries(config).filter(([name]) => !secret.has(name)))
}
