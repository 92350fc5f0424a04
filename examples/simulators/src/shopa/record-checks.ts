import { WebserviceError, type ErrorEntry } from './errors.ts'
import type { Field } from './fields.ts'
import type { Value } from './product-rows.ts'
import { resources, type ResourceName } from './resources.ts'
import type { XmlRecord } from './xml.ts'

/**
 * Returns the columns that a record carries, without unknown members. Throws if a column may not be
 * written (93), is missing from a complete record (41) or has an invalid value (84, 85).
 */
export function checkRecord (
  resource: ResourceName,
  record: XmlRecord,
  { isComplete }: { isComplete: boolean }
): Record<string, Value> {
  const { fields: columns, model } = resources[resource]
  const carried: Record<string, Value> = {}
  for (const [name, field] of Object.entries(columns)) {
    const value = field.type === 'localised' ? record.localised[name] ?? record.texts[name] : record.texts[name]
    if (value === undefined) continue
    carried[name] = typeof value === 'string' && field.type === 'localised' ? { 1: value } : value
  }

  const readOnly = Object.keys(carried).filter(name => columns[name]?.readOnly === true)
  refuse(readOnly.map(name => ({
    code: 93,
    message: `parameter "${name}" not writable. Please remove this attribute of this XML`
  })))
  const required = Object.keys(columns).filter(name => columns[name]?.required === true)
  const missing = isComplete ? required.filter(name => carried[name] === undefined) : []
  refuse(missing.map(name => ({ code: 41, message: `parameter "${name}" required` })))
  const invalid = Object.entries(carried).filter(([name, value]) => {
    const column = columns[name]
    return column !== undefined && !isValid(column, value)
  })
  refuse(invalid.map(([name, value]) => ({
    code: typeof value === 'object' || resource === 'customers' ? 85 : 84,
    message: `Validation error: "Property ${model}->${name} is not valid"`
  })))
  const isStored = (name: string): boolean => columns[name]?.type !== 'date' && columns[name]?.computed !== true
  return Object.fromEntries(Object.entries(carried).filter(([name]) => isStored(name)))
}

function refuse (errors: ErrorEntry[]): void {
  if (errors.length > 0) throw new WebserviceError(400, errors)
}

function isValid (
  { type, required, pattern = /^/, maxLength = Number.POSITIVE_INFINITY }: Field,
  value: Value
): boolean {
  if (typeof value === 'object') return required !== true || Object.values(value).some(text => text !== '')
  const text = String(value)
  switch (type) {
    case 'integer':
      return /^-?\d+$/.test(text)
    case 'decimal':
      return /^-?\d+(?:\.\d{1,6})?$/.test(text)
    // An empty text is valid too: the shop itself sends an unset flag like that.
    case 'boolean':
      return text === '' || text === '0' || text === '1'
    default:
      return text.length <= maxLength && (required !== true || text !== '') && pattern.test(text)
  }
}
