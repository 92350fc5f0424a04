import { webserviceError } from './errors.ts'
import { compareValues, findField, parseFilters, valueOf } from './filter.ts'
import type { Row } from './product-rows.ts'
import type { Resource } from './resources.ts'

/** Which members an answer shows. Without `display` a list has ids only. */
export type Display = 'ids' | 'full' | readonly string[]

/** The rows that a list request selects, in its order. Parameters that the shop does not know, `offset` among them, change nothing. */
export function selectRows (rows: Row[], query: ReadonlyMap<string, string>, resource: Resource): Row[] {
  const hasDates = query.get('date') === '1'
  const keep = parseFilters(query, resource, hasDates)
  const compare = parseSort(query.get('sort'), resource, hasDates)
  const { offset, count } = parseLimit(query.get('limit'))
  return rows.filter(keep).sort(compare).slice(offset, offset + count)
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

function parseSort (sort: string | undefined, resource: Resource, hasDates: boolean): (a: Row, b: Row) => number {
  if (sort === undefined) return () => 0
  const keys = sort.replace(/^\[(.*)\]$/s, '$1').split(',').map(key => {
    const [, name, direction] = /^(.+)_(ASC|DESC)$/i.exec(key) ?? []
    if (name === undefined || direction === undefined) throw webserviceError(400, 37, `sort is a list of field_ASC or field_DESC, not "${key}"`)
    const field = findField(resource, name, hasDates)
    if (field === undefined) throw webserviceError(400, 38, `Unable to sort by "${name}": the field does not exist`)
    return { name, field, sign: direction.toUpperCase() === 'ASC' ? 1 : -1 }
  })
  return (a, b) => {
    for (const { name, field, sign } of keys) {
      const order = compareValues(field, valueOf(a, name), valueOf(b, name))
      if (order !== 0) return order * sign
    }
    return 0
  }
}

function parseLimit (limit: string | undefined): { offset: number, count: number } {
  if (limit === undefined) return { offset: 0, count: Number.POSITIVE_INFINITY }
  const [, first, second] = /^(\d+)(?:,(\d+))?$/.exec(limit) ?? []
  if (first === undefined) throw webserviceError(400, 39, `limit is "count" or "offset,count", not "${limit}"`)
  return second === undefined ? { offset: 0, count: Number(first) } : { offset: Number(first), count: Number(second) }
}
