import { emptyFields } from './empty-fields.ts'
import { WebserviceError, webserviceError, type ErrorEntry } from './errors.ts'
import type { Creators } from './order-writes.ts'
import type { Row, Value } from './product-rows.ts'
import { checkRecord } from './record-checks.ts'
import { resources, type ResourceName } from './resources.ts'
import type { RowChange, State } from './state.ts'
import { readRecords, type XmlRecord } from './xml.ts'

export interface RecordWrite {
  /** POST adds rows, PUT replaces them, PATCH changes the members that it carries. */
  method: 'POST' | 'PUT' | 'PATCH'
  resource: ResourceName
  /** The id in the address. A PUT or PATCH without one names its records only in the body. */
  urlId: number | undefined
  body: unknown
  creators: Creators
}

/** Writes the records of a body. Checks all of them before it writes the first. */
export function writeRecords (state: State, { method, resource, urlId, body, creators }: RecordWrite): Row[] {
  const records = readRecords(body)
  if (records.length === 0) throw method === 'POST' ? missingBody(resource) : missingId()
  refuseDuplicates(records)
  return records.map(record => prepare(state, { method, resource, urlId, creators }, record)).map(apply => apply())
}

function prepare (
  state: State,
  { method, resource, urlId, creators }: Omit<RecordWrite, 'body'>,
  record: XmlRecord
): () => Row {
  const row = method === 'POST' ? undefined : findRow(state, { method, resource, urlId }, record)
  if (method === 'POST' && record.id !== undefined) {
    throw webserviceError(400, 91, 'id is forbidden when adding a new resource')
  }
  const carried = checkRecord(resource, record, { isComplete: method !== 'PATCH' })
  const fields = method === 'PATCH' ? carried : { ...emptyFields(resource), ...carried }
  refuseManagedStock(resource, row, fields)
  refuseUnknownProduct(state, resource, fields)
  const change = { fields, associations: writableAssociations(resource, record) }
  if (row !== undefined) return () => state.change(resource, row.id, change)
  if (resource === 'stock_availables') throw new TypeError('stock rows come with their product')
  const create = creators[resource]
  const added = { ...change, fields: carried }
  return () => create === undefined ? insert(state, resource, added) : create(added)
}

function insert (
  state: State,
  resource: Exclude<ResourceName, 'stock_availables'>,
  { fields, associations = {} }: RowChange
): Row {
  const id = state.tables[resource].nextId()
  const idsOf = (name: string) => (associations[name] ?? []).map(entry => Number(entry.id))
  if (resource === 'products') {
    const { name, ...more } = fields
    const categories = idsOf('categories')
    return state.addProduct({
      id,
      name: typeof name === 'object' ? name : String(name),
      fields: more,
      categories: categories.length === 0 ? undefined : categories
    })
  }
  if (resource !== 'combinations') return state.addSupporting(resource, { id, fields, associations })
  return state.addCombination(Number(fields.id_product), {
    id,
    quantity: 0,
    optionValues: idsOf('product_option_values'),
    images: idsOf('images'),
    fields
  })
}

function findRow (
  state: State,
  { method, resource, urlId }: Pick<RecordWrite, 'method' | 'resource' | 'urlId'>,
  { id }: XmlRecord
): Row {
  if (id === undefined || (urlId !== undefined && Number(id) !== urlId)) throw missingId()
  const row = state.tables[resource].get(Number(id))
  if (row !== undefined) return row
  if (method === 'PATCH') throw webserviceError(404, 92, `Invalid ID: ${id}`)
  throw webserviceError(404, 87, `Id(s) not exists: ${id}`)
}

function refuseDuplicates (records: XmlRecord[]): void {
  const ids = records.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) throw webserviceError(400, 89, 'An id is twice in the body')
}

function refuseManagedStock (resource: ResourceName, row: Row | undefined, fields: Record<string, Value>): void {
  if (resource !== 'stock_availables') return
  if (row?.fields.depends_on_stock === '1' || fields.depends_on_stock === '1') {
    throw webserviceError(500, 133, 'A row that depends on stock management cannot be written')
  }
}

function refuseUnknownProduct (
  state: State,
  resource: ResourceName,
  { id_product: productId }: Record<string, Value>
): void {
  if (productId === undefined || state.tables.products.get(Number(productId)) !== undefined) return
  throw webserviceError(400, 84, `Validation error: "Property ${resources[resource].model}->id_product is not valid"`)
}

function writableAssociations (resource: ResourceName, { associations }: XmlRecord): Row['associations'] {
  const isWritable = (name: string): boolean => resources[resource].writableAssociations.includes(name)
  return Object.fromEntries(Object.entries(associations).filter(([name]) => isWritable(name)))
}

function missingId (): WebserviceError {
  return webserviceError(400, 90, 'id is required when modifying a resource')
}

function missingBody (resource: ResourceName): WebserviceError {
  const required: ErrorEntry[] = Object.entries(resources[resource].fields)
    .filter(([, field]) => field.required === true)
    .map(([name]) => ({ code: 41, message: `parameter "${name}" required` }))
  return new WebserviceError(400, required)
}
