import type { Sealing } from '../sealing.ts'
import type { SealedTable } from './sealed-table.ts'

/** A key with which secrets are sealed that a process cannot open. */
export interface UnreadableKey {
  keyId: string
  /** `wrong`: the process holds a key of this id, and it does not open all that names the id. */
  problem: 'missing' | 'wrong'
}

/** A process of the hub that is alive, and the keys of secrets that it cannot open. */
export interface OpeningProcess {
  host: string
  pid: number
  unreadableKeys: readonly UnreadableKey[]
}

/** Opens a few secrets of each key and returns the keys of those that do not open. */
export async function findUnreadableKeys (
  sealing: Sealing,
  tables: readonly Pick<SealedTable, 'sample'>[]
): Promise<UnreadableKey[]> {
  const found = new Map<string, UnreadableKey>()
  for (const table of tables) {
    for (const { sealed, context } of await table.sample()) {
      const { kid } = sealed.json
      const keyId = typeof kid === 'string' ? kid : ''
      if (found.has(keyId) || canOpen(sealing, sealed, context)) continue
      found.set(keyId, { keyId, problem: sealing.keyIds.includes(keyId) ? 'wrong' : 'missing' })
    }
  }
  return [...found.values()]
}

function canOpen (sealing: Sealing, sealed: Parameters<Sealing['open']>[0], context: string): boolean {
  try {
    sealing.open(sealed, context)
    return true
  } catch {
    return false
  }
}

const causes = {
  missing: 'the key is missing in LINKER_CREDENTIALS_KEY',
  wrong: 'LINKER_CREDENTIALS_KEY holds another key of this id'
} as const

export interface KeyLog {
  error(fields: object, message: string): void
}

/** Returns a function that logs each key once that is unreadable, and again when it comes back. */
export function createKeyLog (log: KeyLog): (keys: readonly UnreadableKey[]) => void {
  let known = new Set<string>()
  return function note (keys) {
    const present = new Set(keys.map(({ keyId, problem }) => `${problem} ${keyId}`))
    for (const { keyId, problem } of keys) {
      if (known.has(`${problem} ${keyId}`)) continue
      log.error(
        { keyId, cause: causes[problem] },
        'stored credentials cannot be opened: put the key that sealed them back into LINKER_CREDENTIALS_KEY and restart'
      )
    }
    known = present
  }
}
