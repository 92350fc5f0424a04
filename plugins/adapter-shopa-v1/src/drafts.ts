import { isOff, reference, type Row } from './records.ts'

/**
 * Tells products from the unfinished ones that the shop keeps and does not show anywhere: for the
 * hub those do not exist.
 */
export interface Drafts {
  /** The rows of products that are none. */
  leaveOut(rows: readonly Row[]): Row[]
  /**
   * Those of at most 100 ids that are drafts. A product that is finished stays so: it is asked
   * about once.
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
