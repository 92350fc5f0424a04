import { webserviceError } from './errors.ts'
import type { Field } from './fields.ts'
import type { Row, Value } from './product-rows.ts'
import type { Resource } from './resource.ts'

export interface Filter {
  field: string
  accepts: (row: Row) => boolean
  /** The field must have one of these values. An index can look them up. */
  oneOf?: ReadonlySet<number | string>
  /** The field must be above this number. An index can look it up. */
  above?: number
}

const idField: Field = { type: 'integer' }
const filterPattern = /^filter\[([^[\]]+)\]$/
const bracketPattern = /^([^[]*)\[(.*)\]([^\]]*)$/s
const rangePattern = /^([\d.:\-\s]+),([\d.:\-\s]+)$/

/** Reads every `filter[...]` of the query. A row must pass all of them. */
export function parseFilters (query: ReadonlyMap<string, string>, resource: Resource, hasDates: boolean): Filter[] {
  return [...query]
    .filter(([name]) => name.startsWith('filter'))
    .map(([name, value]) => {
      const field = filterPattern.exec(name)?.[1]
      if (field === undefined) throw webserviceError(400, 33, `Malformed filter "${name}"`)
      return parseFilter(field, filterableField(resource, field, hasDates), value)
    })
}

/** Returns a field that filters and `sort` may use. Dates are usable only with `date=1`. */
export function findField (resource: Resource, name: string, hasDates: boolean): Field | undefined {
  if (name === 'id') return idField
  if (!Object.hasOwn(resource.fields, name)) return undefined
  const field = resource.fields[name]
  return field?.type === 'date' && !hasDates ? undefined : field
}

/** Compares numbers by value and everything else as text, ignoring case. */
export function compareValues (field: Field, left: string, right: string): number {
  if (isNumeric(field)) return Number(left) - Number(right)
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

function parseFilter (name: string, field: Field, filter: string): Filter {
  const [, operator = '', operand = filter, suffix = ''] = bracketPattern.exec(filter) ?? []
  const { test, ...lookup } = createTest(field, operator, operand, suffix)
  return { field: name, accepts: row => test(valueOf(row, name)), ...lookup }
}

interface Test extends Pick<Filter, 'oneOf' | 'above'> {
  test: (value: string) => boolean
}

function createTest (field: Field, operator: string, operand: string, suffix: string): Test {
  switch (`${operator}[]${suffix}`) {
    case '[]': {
      const [, from, to] = rangePattern.exec(operand) ?? []
      if (from === undefined || to === undefined) return equalsOneOf(field, operand)
      return { test: value => compareValues(field, value, from) >= 0 && compareValues(field, value, to) <= 0 }
    }
    case '![]': {
      const { test } = equalsOneOf(field, operand)
      return { test: value => !test(value) }
    }
    case '>[]':
      return { test: value => compareValues(field, value, operand) > 0, above: Number(operand) }
    case '<[]':
      return { test: value => compareValues(field, value, operand) < 0 }
    case '[]%':
      return { test: value => value.toLowerCase().startsWith(operand.toLowerCase()) }
    case '%[]':
      return { test: value => value.toLowerCase().endsWith(operand.toLowerCase()) }
    case '%[]%':
      return { test: value => value.toLowerCase().includes(operand.toLowerCase()) }
    // The shop ignores an unknown operator: `>=[5]` returns all rows.
    default:
      return { test: () => true }
  }
}

function equalsOneOf (field: Field, operand: string): Test {
  const wanted = operand.split('|')
  if (!isNumeric(field)) {
    return { test: value => wanted.some(text => compareValues(field, value, text) === 0), oneOf: new Set(wanted) }
  }
  const oneOf = new Set(wanted.map(Number).filter(number => !Number.isNaN(number)))
  return { test: value => oneOf.has(Number(value)), oneOf }
}

function isNumeric ({ type }: Field): boolean {
  return type === 'integer' || type === 'decimal' || type === 'boolean'
}

function toText (value: Value): string {
  if (value === false) return '0'
  return typeof value === 'object' ? Object.values(value)[0] ?? '' : String(value)
}
