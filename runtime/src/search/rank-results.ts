import type { Kind, MatchedBy, SearchResult } from './schemas.ts'

/** A result, and whether the text is a whole value of it and not only the beginning of one. */
export interface Found extends SearchResult {
  isExact: boolean
}

export const mostResults = 20

const places: readonly MatchedBy[] = ['id', 'externalId', 'reference', 'sku', 'ean', 'requestId', 'eventId', 'name']
const kinds: readonly Kind[] = ['connection', 'offer', 'unlinked-offer', 'variant', 'order', 'job', 'delivery']

/** Returns the best results, each once: whole values first, then ids before names. */
export function rankResults (found: readonly Found[]): SearchResult[] {
  const sorted = found.toSorted((a, b) =>
    Number(b.isExact) - Number(a.isExact) ||
    places.indexOf(a.matchedBy) - places.indexOf(b.matchedBy) ||
    kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
    compareTexts(a.title, b.title) ||
    compareTexts(a.id, b.id)
  )
  const known = new Set<string>()
  const best = sorted.filter(({ kind, id }) => {
    const key = `${kind} ${id}`
    return !known.has(key) && known.add(key)
  })
  return best.slice(0, mostResults).map(({ isExact: _isExact, ...result }) => result)
}

function compareTexts (a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
