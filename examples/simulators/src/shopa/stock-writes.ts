import { WebserviceError, webserviceError, type ErrorEntry } from './errors.ts'
import type { Row } from './product-rows.ts'
import { resources, type Field } from './resources.ts'
import type { State } from './state.ts'
import { readRecords, type XmlRecord } from './xml.ts'

interface StockWrite {
  /** PUT replaces whole rows, PATCH changes the members that it carries. */
  isFull: boolean
  /** The id in the address; a PUT or PATCH without one names its records in the body only. */
  urlId: number | undefined
  body: unknown
}

const { fields: columns, model } = resources.stock_availables

/** Checks every record of the body before it writes the first. */
export function writeStock (state: State, { isFull, urlId, body }: StockWrite): Row[] {
  const changes = readRecords(body).map(record => {
    const row = findRow(state, record, urlId)
    if (isFull) refuseMissing(record)
    const fields = isFull ? { ...emptyFields(), ...known(record) } : known(record)
    refuseInvalid(fields)
    if (row.fields.depends_on_stock === '1' || fields.depends_on_stock === '1') {
      throw webserviceError(500, 133, 'A row that depends on stock management cannot be written')
    }
    return { id: row.id, fields }
  })
  if (changes.length === 0) throw webserviceError(400, 90, 'id is required when modifying a resource')
  return changes.map(({ id, fields }) => state.saveStock(id, fields))
}

function findRow (state: State, record: XmlRecord, urlId: number | undefined): Row {
  const { id } = record
  if (id === undefined || (urlId !== undefined && Number(id) !== urlId)) {
    throw webserviceError(400, 90, 'id is required when modifying a resource')
  }
  const row = state.row('stock_availables', Number(id))
  if (row === undefined) throw webserviceError(404, 87, `Id(s) not exists: ${id}`)
  return row
}

function refuseMissing (record: XmlRecord): void {
  const missing: ErrorEntry[] = Object.entries(columns)
    .filter(([name, field]) => field.required === true && record[name] === undefined)
    .map(([name]) => ({ code: 41, message: `parameter "${name}" required` }))
  if (missing.length > 0) throw new WebserviceError(400, missing)
}

function refuseInvalid (fields: Record<string, string>): void {
  const invalid: ErrorEntry[] = Object.entries(fields)
    .filter(([name, value]) => columns[name] !== undefined && !isValid(columns[name], value))
    .map(([name]) => ({ code: 84, message: `Validation error: "Property ${model}->${name} is not valid"` }))
  if (invalid.length > 0) throw new WebserviceError(400, invalid)
}

function isValid ({ type }: Field, value: string): boolean {
  if (type === 'integer') return /^-?\d+$/.test(value)
  return type !== 'boolean' || value === '0' || value === '1'
}

function known (record: XmlRecord): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => Object.hasOwn(columns, name)))
}

// A replacing write empties what it leaves out: the row loses its shop and its location.
function emptyFields (): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type === 'text' ? '' : '0']))
}
