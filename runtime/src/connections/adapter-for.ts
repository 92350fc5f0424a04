import { markedMembers, type SchemaProblem } from '@linker/sdk/host'
import semver from 'semver'
import type { Discovered } from '../adapters/discover.ts'
import type { LoadedAdapter } from '../adapters/load.ts'
import { pickVersion, type Registry } from '../adapters/registry.ts'
import type { AdapterProblem } from '../adapters/states.ts'
import { UnknownPlatformError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'
import type { KeptFacts, WebhookRules } from './entity.ts'

/**
 * Finds the adapter that a client asks for. An unknown key or version is the client's mistake here,
 * so the hub answers 400. With `installed`, the adapters on the disk, the answer says whether a
 * restart would help.
 */
export function adapterFor (
  registry: Registry,
  platformType: string,
  adapterKey: string | undefined,
  adapterVersion: string | null | undefined,
  installed?: readonly Discovered[]
): LoadedAdapter {
  if (!registry.platforms().includes(platformType)) {
    throw new UnknownPlatformError(platformType, registry.platforms().join(', ') || 'none')
  }
  const key = adapterKey ?? registry.defaultKey(platformType)
  if (key === undefined) {
    throw refusal([{ pointer: '/adapterKey', code: 'required', message: describeChoice(registry, platformType) }])
  }
  const wanted = adapterVersion ?? 'latest'
  const hint = installed === undefined ? '' : describeInstalled(registry, installed, key, wanted)
  const loaded = registry.versions(key)
  if (loaded.length === 0) {
    throw refusal([{
      pointer: '/adapterKey',
      code: 'enum',
      message: `'${key}' is not registered; registered: ${registry.keys().join(', ')}${hint}${
        adapterKey === undefined ? describeDefault(platformType) : ''
      }`
    }])
  }
  const adapter = registry.find(key, adapterVersion)
  const problems = [
    ...loaded.some(({ manifest }) => manifest.platformType === platformType)
      ? []
      : [{
        pointer: '/adapterKey',
        code: 'platform',
        message: `'${key}' is an adapter of platform '${loaded[0]?.manifest.platformType}'`
      }],
    ...adapter === undefined
      ? [{
        pointer: '/adapterVersion',
        code: 'enum',
        message: `${describeVersions(registry, key, wanted)}${hint}`
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
  return `is required: ${
    keys.join(' and ')
  } serve '${platformType}', and it has no default. Name one here (--adapter of linker connections create), ` +
    `or make one of them the default in linker.config.json: "defaults": { "${platformType}": "<key>" }`
}

/** Another interface takes the place of the first one only when the operator says so. */
function describeDefault (platformType: string): string {
  return `; it is the default of '${platformType}', which \`defaults\` in linker.config.json can change`
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

/** Returns a warning when a newer version is installed than the newest one that is loaded. */
export function newerInstalled (
  registry: Registry,
  { manifest: { adapterKey }, version }: Pick<LoadedAdapter, 'manifest' | 'version'>,
  installed: readonly Discovered[]
): SchemaProblem[] {
  const newer = installed.filter(({ found }) =>
    found?.manifest.adapterKey === adapterKey && semver.gt(found.version, version) &&
    semver.prerelease(found.version) === null
  )
  if (newer.length === 0) return []
  const hint = describeInstalled(registry, newer, adapterKey, 'latest')
  return [{ pointer: '/adapterVersion', code: 'not-loaded', message: `is the newest loaded version${hint}` }]
}

/** Says whether a restart of the hub would load a version that fits, or why it would not. */
function describeInstalled (
  registry: Registry,
  installed: readonly Discovered[],
  key: string,
  wanted: string
): string {
  const ofKey = installed.flatMap(({ found, problem }) =>
    found?.manifest.adapterKey === key ? [{ version: found.version, problem }] : []
  )
  const fitting = pickVersion(ofKey.toSorted((a, b) => semver.rcompare(a.version, b.version)), wanted)
  if (fitting === undefined) return '; install a version that fits, then restart the hub'
  const { version, problem = failureOf(registry, key, version) } = fitting
  return problem === undefined
    ? `; ${version} is installed, but not loaded: restart the hub. \`linker doctor\` says what else that changes`
    : `; ${version} is installed, but ${problem.state}: ${problem.message}`
}

/** Why a version did not load when this process started. */
function failureOf (registry: Registry, key: string, version: string): AdapterProblem | undefined {
  return registry.records.find(({ found }) => found?.manifest.adapterKey === key && found.version === version)?.problem
}

function rulesOf (webhooks: LoadedAdapter['description']['webhooks']): WebhookRules | null {
  const { verify, source, challenges, accepted } = webhooks ?? {}
  const rules = {
    ...verify && { verify },
    ...source && { source },
    ...challenges && { challenges },
    ...accepted && { accepted }
  }
  return Object.keys(rules).length === 0 ? null : rules
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
    webhookRules: rulesOf(webhooks),
    secretMembers: [...markedMembers(config)]
  }
}
