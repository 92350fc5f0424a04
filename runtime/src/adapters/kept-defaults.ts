import type { Query } from '../database/database.ts'
import { deriveDefault, interfaceOf } from './adapter-keys.ts'
import type { AdapterRecord } from './load.ts'
import { readDefaults, storeFirstDefaults } from './store.ts'

export interface KeepingOptions {
  query: Query
  /** The default keys of the configuration, by platform. */
  configured: ReadonlyMap<string, string>
  /** Reads the key of the oldest connection of each platform. */
  readOldestKeys(): Promise<ReadonlyMap<string, string>>
}

/**
 * Returns the key that served each platform first, and stores it where none is stored. So it stays
 * the default when another interface of its platform is installed.
 */
export async function keepDefaults (
  { query, configured, readOldestKeys }: KeepingOptions,
  records: readonly AdapterRecord[]
): Promise<ReadonlyMap<string, string>> {
  const kept = await readDefaults(query)
  const keys = records.flatMap(({ adapter }) => adapter === undefined ? [] : [adapter.manifest])
  const fresh = [...Map.groupBy(keys, ({ platformType }) => platformType)].filter(([platform]) => !kept.has(platform))
  if (fresh.length === 0) return kept
  const oldest = await readOldestKeys()
  const first = fresh.flatMap(([platform, manifests]) => {
    const loaded = manifests.map(({ adapterKey }) => adapterKey)
    // A stored key stays for ever, so a mistyped one must not be stored.
    const key = loaded.find(key => key === configured.get(platform)) ??
      servingKey(oldest.get(platform), deriveDefault(loaded))
    return key === undefined ? [] : [[platform, key] as const]
  })
  await storeFirstDefaults(query, Object.fromEntries(first))
  // Another process may have stored its own since.
  return readDefaults(query)
}

/**
 * The key of a hub that stored none yet. A connection tells which interface served, also when its
 * adapter does not load now; but it may have moved to a newer major than new connections get.
 */
function servingKey (oldest: string | undefined, derived: string | undefined): string | undefined {
  const isSame = oldest !== undefined && derived !== undefined && interfaceOf(oldest) === interfaceOf(derived)
  return isSame ? derived : oldest ?? derived
}
