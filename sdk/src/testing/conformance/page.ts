/** One page of a listing, whatever its method. */
export interface AnsweredPage {
  items: readonly unknown[]
  nextCursor?: string
}

/** Reads the answer of a listing: a page, or the page of a journal. Undefined for other answers. */
export function pageOf (value: unknown): AnsweredPage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { items, nextCursor, events, cursor, hasMore } = value as Record<string, unknown>
  if (Array.isArray(items)) return { items, ...(typeof nextCursor === 'string' ? { nextCursor } : {}) }
  if (!Array.isArray(events)) return undefined
  return { items: events, ...(hasMore === true && typeof cursor === 'string' ? { nextCursor: cursor } : {}) }
}
