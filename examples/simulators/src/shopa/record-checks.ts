import { WebserviceError, type ErrorEntry } from './errors.ts'
import type { Value } from './product-rows.ts'
import type { Field } from './fields.ts'
import { resources, type ResourceName } from './resources.ts'
import type { XmlRecord } from './xml.ts'

/**
 * The columns that the record carries; throws when one may not be written (93), is missing from a
 * complete record (41) or does not fit (84, 85). Unknown members are ignored.
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
    if (value !== undefined) {
      carried[name] = typeof value === 'string' && field.type === 'localised'
        ? { 1: value }
        : value
    }
  }

  refuse(Object.keys(carried).filter(name => columns[name]?.readOnly === true)
    .map(name => ({ code: 93, message: `parameter "${name}" not writable. Please remove this attribute of this XML` })))
  if (isComplete) {
    refuse(Object.entries(columns).filter(([name, field]) => field.required === true && carried[name] === undefined)
      .map(([name]) => ({ code: 41, message: `parameter "${name}" required` })))
  }
  refuse(Object.entries(carried).filter(([name, value]) =>
    columns[name] !== undefined && !isValid(columns[name], value)
  )
    .map(([name, value]) => ({
      code: typeof value === 'object' ? 85 : 84,
      message: `Validation error: "Property ${model}->${name} is not valid"`
    })))
  return Object
    .fromEntries(Object.entries(carried).filter(([name]) =>
      columns[name]?.type !== 'date' && columns[name]?.computed !== true
    ))
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
    // The shop itself sends an unset flag as an empty text.
    case 'boolean':
      return text === '' || text === '0' || text === '1'
    default:
      return text.length <= maxLength && (required !== true || text !== '') && pattern.test(text)
  }
}
