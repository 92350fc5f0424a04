import type { Config } from '../config.ts'
import { InvalidConfigurationError } from '../errors.ts'
import { createKeyring } from './envelope.ts'

/** A secret in its stored form: plain or, when `encrypted`, in its envelope. */
export interface Sealed {
  json: Record<string, unknown>
  encrypted: boolean
}

export interface Sealing {
  /** Ids of the keys, the newest first; empty when the hub has none. */
  keyIds: readonly string[]
  /** Encrypts when the hub has a key. `context` (table, row, platform) is bound to the result. */
  seal(plain: Record<string, unknown>, context: string): Sealed
  open(sealed: Sealed, context: string): Record<string, unknown>
}

/**
 * Makes the stored form of every secret of the hub: encrypted with the keys of
 * `LINKER_CREDENTIALS_KEY`, or plain when there is no key.
 */
export function createSealing ({ credentialsKey }: Pick<Config, 'credentialsKey'>): Sealing {
  const keyring = credentialsKey === undefined ? undefined : createKeyring(credentialsKey)
  return {
    keyIds: keyring?.ids ?? [],
    seal (plain, context) {
      return keyring === undefined
        ? { json: plain, encrypted: false }
        : { json: { ...keyring.seal(plain, context) }, encrypted: true }
    },
    open ({ json, encrypted }, context) {
      if (!encrypted) return json
      if (keyring === undefined) {
        throw new InvalidConfigurationError('stored credentials are encrypted, but LINKER_CREDENTIALS_KEY is not set')
      }
      return keyring.open(json, context) as Record<string, unknown>
    }
  }
}
