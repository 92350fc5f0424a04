import { isOff, reference, type Row } from '../webservice/row.ts'

/** Tells products from drafts, which the shop keeps but never shows. The hub ignores drafts. */
export interface Drafts {
  /** Returns the rows that are not drafts. */
  leaveOut(rows: readonly Row[]): Row[]
  /**
   * Returns which of at most 100 ids are drafts. A finished product never becomes a draft again, so
   * the adapter asks about it only once.
   */
  readAmong(ids: readonly string[]): Promise<ReadonlySet<string>>
}

type List = (resource: string, query: Record<string, string>) => Promise<Row[]>

export function createDrafts (list: List): Drafts {
  const finished = new Set<number>()

  function isDraft (row: Row): boolean {
    const [id, is] = [Number(reference(row.id)), isOff(row.state)]
    if (is) finished.delete(id)
    else finished.add(id)
    return is
  }

  return {
    leaveOut: rows => rows.filter(row => !isDraft(row)),
    async readAmong (ids) {
      const unsure = ids.filter(id => !finished.has(Number(id)))
      const rows = unsure.length === 0
        ? []
        : await list('products', { 'filter[id]': `[${unsure.join('|')}]`, display: '[id,state]' })
      return new Set(rows.filter(isDraft).map(row => reference(row.id)))
    }
  }
}
