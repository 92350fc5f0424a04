import { isTooSlow } from '../database/within-time.ts'
import { newItem } from './items/new-item.ts'
import { rank } from './rank.ts'
import type { AttentionItem, AttentionKind } from './schemas.ts'

/** A part of what needs attention, read with few bounded statements. */
export interface Source {
  /** Names the part for people, such as `dead jobs`. */
  name: string
  kinds: readonly AttentionKind[]
  read(this: void): Promise<AttentionItem[]>
}

export interface Attention {
  /** The gravest first. */
  items: AttentionItem[]
  /** The kinds of which nobody knows now whether there are any. */
  unknown: ReadonlySet<AttentionKind>
}

/** Is told of the error of a source. Ends the look by throwing. */
export type OnFailure = (this: void, error: unknown, source: Source) => Promise<void>

/**
 * Reads all sources, one after the other, so that a look takes one connection of the database. A
 * source that takes too long or fails becomes an item itself.
 */
export async function lookAt (sources: readonly Source[], onFailure: OnFailure): Promise<Attention> {
  const items: AttentionItem[] = []
  const unknown = new Set<AttentionKind>()
  for (const source of sources) {
    try {
      items.push(...await source.read())
    } catch (error) {
      const isSlow = isTooSlow(error)
      if (!isSlow) await onFailure(error, source)
      for (const kind of source.kinds) unknown.add(kind)
      items.push(unchecked(source, isSlow))
    }
  }
  return { items: rank(items), unknown }
}

function unchecked ({ name, kinds }: Source, isSlow: boolean): AttentionItem {
  const why = isSlow
    ? `The database did not answer in time when the hub looked at ${name}; look at the load of the database`
    : `An error ended the look at ${name}; the log of the hub and /readyz say which`
  return newItem({
    kind: 'unchecked',
    severity: 'warning',
    since: null,
    of: kinds.join(','),
    title: `The hub could not look at ${name}`,
    detail: `${why}, and the hub looks again by itself.`,
    target: '/readyz'
  })
}
