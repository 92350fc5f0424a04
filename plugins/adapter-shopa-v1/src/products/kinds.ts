import { isOff, reference, text, type Row } from '../webservice/row.ts'

/** The members that `Kinds` reads of a product. */
export const kindFields = ['id', 'state', 'type'] as const

/**
 * Tells apart drafts, which the shop keeps but never shows and the hub ignores, packs, whose parts
 * may count as their stock, and all other products.
 */
export interface Kinds {
  /** Returns the rows that are not drafts. They have the `kindFields`. */
  leaveOutDrafts(rows: readonly Row[]): Row[]
  /**
   * Returns which of at most 100 ids are drafts and packs. Most products are neither and stay so,
   * so the adapter asks about such a product only once.
   */
  readAmong(ids: readonly string[]): Promise<{ drafts: ReadonlySet<string>, packs: ReadonlySet<string> }>
}

type List = (resource: string, query: Record<string, string>) => Promise<Row[]>

export function createKinds (list: List): Kinds {
  const plain = new Set<number>()

  function learn (row: Row): void {
    const id = Number(reference(row.id))
    if (isDraft(row) || isPack(row)) plain.delete(id)
    else plain.add(id)
  }

  return {
    leaveOutDrafts (rows) {
      for (const row of rows) learn(row)
      return rows.filter(row => !isDraft(row))
    },
    async readAmong (ids) {
      const unsure = ids.filter(id => !plain.has(Number(id)))
      const rows = unsure.length === 0
        ? []
        : await list('products', { 'filter[id]': `[${unsure.join('|')}]`, display: `[${kindFields.join(',')}]` })
      for (const row of rows) learn(row)
      const idsOf = (found: readonly Row[]) => new Set(found.map(row => reference(row.id)))
      return { drafts: idsOf(rows.filter(isDraft)), packs: idsOf(rows.filter(isPack)) }
    }
  }
}

export function isPack (row: Row): boolean {
  return text(row.type) === 'pack'
}

function isDraft (row: Row): boolean {
  return isOff(row.state)
}
