import { RejectedError, TransientError } from './errors.ts'
import type { Page } from './schemas/values.ts'

/** The number of items to ask a platform for: `limit`, but at least 1 and at most `largest`. */
export function pageSize (limit: number, largest: number): number {
  return Math.min(Math.max(1, limit), largest)
}

/**
 * Reads a cursor that is a number: an offset, a page number or the last id of the page before.
 * Returns `first` for the first page. Throws a `RejectedError` for a text that is no whole number,
 * and for a number greater than `last`.
 */
export function positionOf (
  cursor: string | undefined,
  { first = 0, last = Number.MAX_SAFE_INTEGER }: { first?: number, last?: number } = {}
): number {
  if (cursor === undefined) return first
  const position = /^[0-9]{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (position <= last) return position
  throw new RejectedError(`'${cursor.slice(0, 64)}' is not a cursor of this list`)
}

export interface PageEnd {
  /** The cursor that was asked for. */
  cursor: string | undefined
  /** The cursor of the next page, as the platform says it or as the adapter makes it. */
  nextCursor: string | undefined
  /** Whether no page follows. Default: whether there is no `nextCursor`. */
  isLast?: boolean
}

/**
 * Makes a page. Throws a `TransientError` when another page follows and its cursor is missing or is
 * the one that was asked for: the hub would read the same page forever.
 */
export function toPage<Item> (
  items: Item[],
  { cursor, nextCursor, isLast = nextCursor === undefined }: PageEnd
): Page<Item> {
  if (isLast) return { items }
  if (nextCursor === undefined || nextCursor === cursor) {
    throw new TransientError('the platform answered a full page without a position for the next page')
  }
  return { items, nextCursor }
}
