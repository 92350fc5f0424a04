import { findSharedSkus, listSharedSkus, type SharedSku } from '../catalog/store.ts'
import type { Query } from '../database/database.ts'

/** Finds the references that several variants of one shop have. */
export type FindSharedReferences = (this: void, query: Query) => Promise<SharedSku[]>

const wholeEveryMs = 3_600_000
export const mostShared = 100

/**
 * Reads all variants once an hour, because that takes half a second with 100 000 of them. Between
 * that it only looks at the references that it has found.
 */
export function createSharedReferences (now: () => Date): FindSharedReferences {
  let last: { atMs: number, found: readonly SharedSku[] } | undefined
  return async query => {
    const atMs = now().getTime()
    if (last !== undefined && atMs - last.atMs < wholeEveryMs) {
      return last.found.length === 0 ? [] : findSharedSkus(query, last.found.map(({ sku }) => sku))
    }
    const found = await listSharedSkus(query, mostShared)
    last = { atMs, found }
    return found
  }
}
