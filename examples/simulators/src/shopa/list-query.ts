import { webserviceError } from './errors.ts'
import { compareValues, findField, parseFilters, valueOf, type Filter } from './filter.ts'
import type { Row } from './product-rows.ts'
import type { Resource } from './resource.ts'
import type { Table } from './table.ts'

/** The members that an answer shows. Without `display` a list shows ids only. */
export type Display = 'ids' | 'full' | readonly string[]

/**
 * Selects and sorts the rows of a list request. It ignores unknown parameters, `offset` and
 * `id_shop`. Without `sort` the rows come newest first: real shops promise no order.
 */
export function selectRows (table: Table, query: ReadonlyMap<string, string>, resource: Resource): Row[] {
  const hasDates = query.get('date') === '1'
  const filters = parseFilters(query, resource, hasDates)
  const { compare, isById } = parseSort(query.get('sort'), resource, hasDates)
  const { offset, count } = parseLimit(query.get('limit'))
  const end = offset + count
  const selected: Row[] = []
  for (const row of candidates(table, filters)) {
    // Rows come sorted by id, so a request in that order stops when its page is full and does not
    // read the whole table.
    if (isById && selected.length >= end) break
    if (filters.every(({ accepts }) => accepts(row))) selected.push(row)
  }
  return (isById ? selected : selected.sort(compare)).slice(offset, end)
}

/** Returns all rows that the filters can accept, by an index if there is one. */
function candidates (table: Table, filters: readonly Filter[]): readonly Row[] {
  const equal = filters.find(({ field, oneOf }) => oneOf !== undefined && table.isIndexed(field))
  if (equal?.oneOf !== undefined) return table.where(equal.field, equal.oneOf)
  const after = filters.find(({ field, above }) => field === 'id' && above !== undefined)
  return after?.above === undefined ? table.rows() : table.after(after.above)
}

export function parseDisplay (display: string | undefined, resource: Resource): Display {
  if (display === undefined) return 'ids'
  if (display === 'full') return 'full'
  const listed = /^\[(.+)\]$/.exec(display)?.[1]?.split(',')
  if (listed === undefined) throw webserviceError(400, 36, `display is "full" or a list in brackets, not "${display}"`)
  const unknown = listed.find(name => name !== 'id' && !Object.hasOwn(resource.fields, name))
  if (unknown !== undefined) throw webserviceError(400, 35, `Unable to display the field "${unknown}"`)
  return listed
}

function parseSort (
  sort: string | undefined,
  resource: Resource,
  hasDates: boolean
): { compare: (a: Row, b: Row) => number, isById: boolean } {
  if (sort === undefined) return { compare: (a, b) => b.id - a.id, isById: false }
  const keys = sort.replace(/^\[(.*)\]$/s, '$1').split(',').map(key => {
    const [, name, direction] = /^(.+)_(ASC|DESC)$/i.exec(key) ?? []
    if (name === undefined || direction === undefined) {
      throw webserviceError(400, 37, `sort is a list of field_ASC or field_DESC, not "${key}"`)
    }
    const field = findField(resource, name, hasDates)
    if (field === undefined) throw webserviceError(400, 38, `Unable to sort by "${name}": the field does not exist`)
    return { name, field, sign: direction.toUpperCase() === 'ASC' ? 1 : -1 }
  })
  function compare (a: Row, b: Row): number {
    for (const { name, field, sign } of keys) {
      const order = compareValues(field, valueOf(a, name), valueOf(b, name))
      if (order !== 0) return order * sign
    }
    return 0
  }
  return { compare, isById: keys[0]?.name === 'id' && keys[0].sign === 1 }
}

function parseLimit (limit: string | undefined): { offset: number, count: number } {
  if (limit === undefined) return { offset: 0, count: Number.POSITIVE_INFINITY }
  const [, first, second] = /^(\d+)(?:,(\d+))?$/.exec(limit) ?? []
  // Text that is no number makes an empty answer, not an error.
  if (first === undefined) return { offset: 0, count: 0 }
  return second === undefined ? { offset: 0, count: Number(first) } : { offset: Number(first), count: Number(second) }
}
