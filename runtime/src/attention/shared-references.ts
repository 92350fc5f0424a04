import { findSharedSkus, listSharedSkus, type SharedSku } from '../catalog/store.ts'
import type { Query } from '../database/database.ts'
import { isTooSlow } from '../database/within-time.ts'

/** Finds the references that several variants of one shop have. */
export type FindSharedReferences = (this: void, query: Query) => Promise<SharedSku[]>

const wholeEveryMs = 3_600_000
/** Of one shop. */
export const mostShared = 100

/**
 * Reads all variants once an hour, because that takes half a second with 100 000 of them. Between
 * that it only looks at the references that it has found. When the database took too long, it waits
 * an hour, too, and throws the same error meanwhile: nobody knows the references.
 */
export function createSharedReferences (now: () => Date): FindSharedReferences {
  let last: { atMs: number, found: readonly SharedSku[], tooSlow?: unknown } | undefined

  async function readAll (query: Query, atMs: number): Promise<SharedSku[]> {
    try {
      const found = await listSharedSkus(query, mostShared)
      last = { atMs, found }
      return found
    } catch (error) {
      if (isTooSlow(error)) last = { atMs, found: [], tooSlow: error }
      throw error
    }
  }

  return async query => {
    const atMs = now().getTime()
    if (last === undefined || atMs - last.atMs >= wholeEveryMs) return readAll(query, atMs)
    if (last.tooSlow !== undefined) throw last.tooSlow
    return last.found.length === 0 ? [] : findSharedSkus(query, last.found.map(({ sku }) => sku))
  }
}
