import type { Sealed } from '../sealing.ts'

/** A stored secret. */
export interface SealedRow {
  id: string
  /** Table, row and platform, to which the envelope is bound. */
  context: string
  sealed: Sealed
  /** The connection that uses it; null when it is not of one. */
  connection: { id: string, name: string } | null
}

/** A table with secrets, as the folder that owns it gives them to be sealed anew. */
export interface SealedTable {
  /** Such as `credentials`, for people. */
  what: string
  /** Secrets that are not sealed with this key, in the order of their ids, after an id. */
  list(keyId: string, after: string, limit: number): Promise<SealedRow[]>
  /**
   * The secret of each key that was changed first, and the one that was changed last. A hub that
   * ran with a wrong key for a while opens the one and not the other.
   */
  sample(): Promise<SealedRow[]>
  /** Writes another envelope. Answers false when the secret was changed since it was read. */
  replace(row: SealedRow, sealed: Sealed): Promise<boolean>
}
