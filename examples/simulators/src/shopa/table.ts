import type { Row } from './product-rows.ts'

/**
 * Makes a table, sorted by id, with an index on `id` and on the `indexed` columns, which compares
 * values as texts and ignores case. Change rows only through `put`, which keeps the indexes right.
 */
export function createTable (indexed: readonly string[]) {
  const byId = new Map<number, Row>()
  const indexes = new Map(indexed.map(name => [name, new Map<string, Set<Row>>()]))
  const ordered: Row[] = []
  let isOrdered = true

  function put (row: Row, fields: Row['fields'] = {}): void {
    if (byId.has(row.id)) unindex(row)
    else append(row)
    Object.assign(row.fields, fields)
    for (const [name, index] of indexes) {
      const value = keyOf(row.fields[name])
      const found = index.get(value)
      if (found === undefined) index.set(value, new Set([row]))
      else found.add(row)
    }
  }

  function append (row: Row): void {
    isOrdered &&= row.id > lastId()
    ordered.push(row)
    byId.set(row.id, row)
  }

  function unindex (row: Row): void {
    for (const [name, index] of indexes) {
      const value = keyOf(row.fields[name])
      const found = index.get(value)
      found?.delete(row)
      if (found?.size === 0) index.delete(value)
    }
  }

  function remove (id: number): void {
    const row = byId.get(id)
    if (row === undefined) return
    unindex(row)
    byId.delete(id)
    rows()
    ordered.splice(positionAfter(id) - 1, 1)
  }

  function rows (): readonly Row[] {
    if (!isOrdered) ordered.sort(byIdAscending)
    isOrdered = true
    return ordered
  }

  /** Returns how many rows have an id up to `id`. */
  function positionAfter (id: number): number {
    let [low, high] = [0, ordered.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ordered[middle]?.id ?? 0) <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  function lastId (): number {
    return ordered.at(-1)?.id ?? 0
  }

  return {
    put,
    remove,
    rows,
    get: (id: number) => byId.get(id),
    isIndexed: (name: string) => name === 'id' || indexes.has(name),
    /** Returns the rows whose id or indexed column has one of the values. */
    where (name: string, values: Iterable<number | string>): Row[] {
      const index = indexes.get(name)
      const keys = [...new Set([...values].map(keyOf))]
      const found = keys.flatMap(key => index === undefined ? byId.get(Number(key)) ?? [] : [...index.get(key) ?? []])
      return found.sort(byIdAscending)
    },
    /** Returns the rows with a greater id. */
    after: (id: number): readonly Row[] => rows().slice(positionAfter(id)),
    nextId: () => rows() && lastId() + 1
  }
}

export type Table = ReturnType<typeof createTable>

function byIdAscending (a: Row, b: Row): number {
  return a.id - b.id
}

function keyOf (value: unknown): string {
  return String(value ?? '').toLowerCase()
}
