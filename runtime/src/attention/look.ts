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

/**
 * Reads all sources, one after the other, so that a look takes one connection of the database. A
 * source that takes too long becomes an item itself. Every other error is thrown.
 */
export async function lookAt (sources: readonly Source[]): Promise<Attention> {
  const items: AttentionItem[] = []
  const unknown = new Set<AttentionKind>()
  for (const source of sources) {
    try {
      items.push(...await source.read())
    } catch (error) {
      if (!isTooSlow(error)) throw error
      for (const kind of source.kinds) unknown.add(kind)
      items.push(unchecked(source))
    }
  }
  return { items: rank(items), unknown }
}

function unchecked ({ name, kinds }: Source): AttentionItem {
  return newItem({
    kind: 'unchecked',
    severity: 'warning',
    since: null,
    of: kinds.join(','),
    title: `The hub could not look at ${name}`,
    detail: `The database did not answer in time when the hub looked at ${name}; look at the load of the database, ` +
      'and the hub looks again by itself.',
    target: '/readyz'
  })
}
