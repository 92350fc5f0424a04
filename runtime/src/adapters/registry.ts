import semver from 'semver'
import { AdapterNotFoundException } from '../errors.ts'
import { deriveDefault, newerMajorKeys, standIn } from './adapter-keys.ts'
import type { AdapterRecord, LoadedAdapter } from './load.ts'

/** The adapters that serve, by key and version. */
export interface Registry {
  readonly records: readonly AdapterRecord[]
  keys(): string[]
  platforms(): string[]
  /** The versions of one key, newest first. */
  versions(adapterKey: string): readonly LoadedAdapter[]
  /**
   * The key that a connection without one gets, or undefined when the platform is unknown or the
   * choice ambiguous.
   */
  defaultKey(platformType: string): string | undefined
  /**
   * The newest stable version of each key of the same interface with a higher major, the lowest
   * major first: `shop.api.v2` for `shop.api.v1`.
   */
  newerMajors(adapterKey: string): LoadedAdapter[]
  /**
   * Exact version, SemVer range or `latest` (highest stable); no version means `latest`. Undefined
   * when no adapter that serves fits.
   */
  find(adapterKey: string, version?: string | null): LoadedAdapter | undefined
  /** The same, throwing `AdapterNotFoundException` instead. */
  resolve(adapterKey: string, version?: string | null): LoadedAdapter
  /** Says why `find` returned undefined, for a person who looks at a connection. */
  explain(adapterKey: string, version?: string | null): string
}

/**
 * Makes a registry of these records, which does not change. `defaults` and `kept` map platform to
 * adapter key: those of the configuration, which win, and those that served first.
 */
export function createRegistry (
  records: readonly AdapterRecord[],
  defaults: ReadonlyMap<string, string>,
  kept: ReadonlyMap<string, string> = new Map()
): Registry {
  const adapters = records.flatMap(record => record.adapter ?? [])
  const newestFirst = adapters.toSorted((a, b) => semver.rcompare(a.version, b.version))
  const byKey = Map.groupBy(newestFirst, adapter => adapter.manifest.adapterKey)
  const byPlatform = Map.groupBy(adapters, adapter => adapter.manifest.platformType)
  const keys = () => [...byKey.keys()].toSorted()
  const versions = (adapterKey: string) => byKey.get(adapterKey) ?? []
  const find: Registry['find'] = (adapterKey, version) => pickVersion(versions(adapterKey), version ?? 'latest')

  function explain (adapterKey: string, version?: string | null): string {
    const wanted = typeof version === 'string' ? `${adapterKey}@${version}` : adapterKey
    const failed = records.find(({ found, adapter }) =>
      adapter === undefined && found?.manifest.adapterKey === adapterKey &&
      (typeof version !== 'string' || semver.satisfies(found.version, version))
    )
    if (failed?.problem !== undefined) return `Adapter ${wanted} is ${failed.problem.state}: ${failed.problem.message}`
    const loaded = versions(adapterKey).map(adapter => adapter.version)
    return loaded.length === 0
      ? `No adapter ${adapterKey} is installed`
      : `Adapter ${adapterKey} is installed in version ${loaded.join(', ')}, not in version ${version ?? 'latest'}`
  }

  return {
    records,
    keys,
    platforms: () => [...byPlatform.keys()].toSorted(),
    versions,
    defaultKey (platformType) {
      const loaded = byPlatform.get(platformType)?.map(({ manifest }) => manifest.adapterKey) ?? []
      const first = kept.get(platformType)
      return defaults.get(platformType) ?? (first === undefined ? deriveDefault(loaded) : standIn(first, loaded))
    },
    newerMajors: adapterKey => newerMajorKeys(adapterKey, keys()).flatMap(key => find(key, 'latest') ?? []),
    find,
    resolve (adapterKey, version) {
      const found = find(adapterKey, version)
      if (found !== undefined) return found
      throw new AdapterNotFoundException(
        typeof version === 'string' && byKey.has(adapterKey) ? `${adapterKey}@${version}` : adapterKey,
        keys().join(', ') || 'none'
      )
    },
    explain
  }
}

/**
 * Makes a registry whose adapters change while the hub runs: each call answers from the newest.
 * `changeTo` is only for the code that loads adapters.
 */
export function createChangingRegistry (first: Registry): { registry: Registry, changeTo(next: Registry): void } {
  let current = first
  return {
    registry: {
      get records () {
        return current.records
      },
      keys: () => current.keys(),
      platforms: () => current.platforms(),
      versions: adapterKey => current.versions(adapterKey),
      defaultKey: platformType => current.defaultKey(platformType),
      newerMajors: adapterKey => current.newerMajors(adapterKey),
      find: (adapterKey, version) => current.find(adapterKey, version),
      resolve: (adapterKey, version) => current.resolve(adapterKey, version),
      explain: (adapterKey, version) => current.explain(adapterKey, version)
    },
    changeTo (next) {
      current = next
    }
  }
}

/** Returns the one that serves a connection that wants this version; undefined when none fits. */
export function pickVersion<Adapter extends { version: string }> (
  newestFirst: readonly Adapter[],
  wanted: string
): Adapter | undefined {
  if (wanted === 'latest') {
    return newestFirst.find(adapter => semver.prerelease(adapter.version) === null) ?? newestFirst[0]
  }
  if (semver.valid(wanted) !== null) return newestFirst.find(adapter => adapter.version === wanted)
  // An operator installs a pre-release to try it on one connection: other connections, pinned to a
  // range, must not move to it.
  return newestFirst.find(adapter => semver.satisfies(adapter.version, wanted)) ??
    newestFirst.find(adapter => semver.satisfies(adapter.version, wanted, { includePrerelease: true }))
}
