import { webserviceError } from './errors.ts'
import type { Row, Value } from './product-rows.ts'
import type { Field, Resource } from './resources.ts'

export type Predicate = (row: Row) => boolean

const idField: Field = { type: 'integer' }
const filterPattern = /^filter\[([^[\]]+)\]$/
const bracketPattern = /^([^[]*)\[(.*)\]([^\]]*)$/s
const rangePattern = /^([\d.:\-\s]+),([\d.:\-\s]+)$/

/** Every `filter[...]` of the query, joined by AND. */
export function parseFilters (query: ReadonlyMap<string, string>, resource: Resource, hasDates: boolean): Predicate {
  const predicates = [...query]
    .filter(([name]) => name.startsWith('filter'))
    .map(([name, value]) => {
      const field = filterPattern.exec(name)?.[1]
      if (field === undefined) throw webserviceError(400, 33, `Malformed filter "${name}"`)
      return parseFilter(field, filterableField(resource, field, hasDates), value)
    })
  return row => predicates.every(predicate => predicate(row))
}

/** Dates exist for filters and sorting only when the query says `date=1`. */
export function findField (resource: Resource, name: string, hasDates: boolean): Field | undefined {
  if (name === 'id') return idField
  if (!Object.hasOwn(resource.fields, name)) return undefined
  const field = resource.fields[name]
  return field?.type === 'date' && !hasDates ? undefined : field
}

/** Negative, zero or positive. Numbers by value, everything else as text without regard to case. */
export function compareValues (field: Field, left: string, right: string): number {
  if (field.type === 'integer' || field.type === 'decimal' || field.type === 'boolean') return Number(left) - Number(right)
  const [a, b] = [left.toLowerCase(), right.toLowerCase()]
  return a < b ? -1 : Number(a > b)
}

export function valueOf (row: Row, name: string): string {
  return name === 'id' ? String(row.id) : toText(row.fields[name] ?? '')
}

function filterableField (resource: Resource, name: string, hasDates: boolean): Field {
  const field = findField(resource, name, hasDates)
  if (field === undefined) throw webserviceError(400, 32, `This filter does not exist: "${name}"`)
  if (field.computed === true) throw webserviceError(400, 34, `"${name}" is computed and cannot be filtered`)
  return field
}

function parseFilter (name: string, field: Field, filter: string): Predicate {
  const [, operator = '', operand = filter, suffix = ''] = bracketPattern.exec(filter) ?? []
  const test = createTest(field, operator, operand, suffix)
  return row => test(valueOf(row, name))
}

function createTest (field: Field, operator: string, operand: string, suffix: string): (value: string) => boolean {
  const equals = (value: string, wanted: string) => compareValues(field, value, wanted) === 0
  const isOneOf = (value: string) => operand.split('|').some(wanted => equals(value, wanted))
  switch (`${operator}[]${suffix}`) {
    case '[]': {
      const [, from, to] = rangePattern.exec(operand) ?? []
      if (from === undefined || to === undefined) return isOneOf
      return value => compareValues(field, value, from) >= 0 && compareValues(field, value, to) <= 0
    }
    case '![]': return value => !isOneOf(value)
    case '>[]': return value => compareValues(field, value, operand) > 0
    case '<[]': return value => compareValues(field, value, operand) < 0
    case '[]%': return value => value.toLowerCase().startsWith(operand.toLowerCase())
    case '%[]': return value => value.toLowerCase().endsWith(operand.toLowerCase())
    case '%[]%': return value => value.toLowerCase().includes(operand.toLowerCase())
    // The shop answers as if the filter were not there: `>=[5]` returns everything.
    default: return () => true
  }
}

function toText (value: Value): string {
  if (value === false) return '0'
  return typeof value === 'object' ? Object.values(value)[0] ?? '' : String(value)
}
