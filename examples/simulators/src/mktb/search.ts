import { invalid } from './errors.ts'
import type { Product, Products } from './products.ts'

export interface Filter {
  field?: string
  operator: '=' | '!=' | '>' | '>=' | '<' | '<=' | 'in' | 'nin' | 'and' | 'or' | 'not'
  value?: unknown
}

export interface Search {
  pagination?: { sortField?: string, after?: unknown, order?: 'ASC' | 'DESC', limit?: number }
  filter?: Filter
  fields?: string[]
}

/**
 * Returns one page of the products that match, sorted, after the given sort value. The next page
 * skips rows that share the sort value of the last row.
 */
export function search (products: Products, { pagination = {}, filter, fields }: Search): Array<Partial<Product>> {
  const { sortField = 'externalId', after, order = 'ASC', limit = 50 } = pagination
  const found: Product[] = []
  const candidates = sortField === 'externalId'
    ? products.visibleByKey(order, after === undefined ? undefined : String(after ?? ''))
    : sorted(products, sortField, order, after)
  for (const product of candidates) {
    if (found.length === limit) break
    if (filter === undefined || accepts(filter, product)) found.push(product)
  }
  return found.map(product => pick(product, fields))
}

function sorted (products: Products, sortField: string, order: 'ASC' | 'DESC', after: unknown): Product[] {
  const sign = order === 'ASC' ? 1 : -1
  return products.allVisible()
    .filter(product => after === undefined || compare(product[sortField], after) * sign > 0)
    .sort((a, b) => compare(a[sortField], b[sortField]) * sign)
}

/** Returns the members of a product that a read shows. */
export function pick (stored: Product, fields: string[] | undefined): Partial<Product> {
  // Reads never say whether `packaging` is frozen.
  const { packaging: _unshown, ...frozen } = stored.frozen
  const product: Product = { ...stored, frozen }
  if (fields === undefined) return product
  return Object.fromEntries(fields.filter(name => Object.hasOwn(product, name)).map(name => [name, product[name]]))
}

/** Whether the filter lets a row through. */
export function accepts (filter: Filter, row: Readonly<Record<string, unknown>>): boolean {
  const { field = '', operator, value } = filter
  if (operator === 'and') return nested(value).every(inner => accepts(inner, row))
  if (operator === 'or') return nested(value).some(inner => accepts(inner, row))
  if (operator === 'not') return !nested([value]).some(inner => accepts(inner, row))
  const actual = row[field]
  switch (operator) {
    case '=':
      return compare(actual, value) === 0
    case '!=':
      return compare(actual, value) !== 0
    case '>':
      return compare(actual, value) > 0
    case '>=':
      return compare(actual, value) >= 0
    case '<':
      return compare(actual, value) < 0
    case '<=':
      return compare(actual, value) <= 0
    case 'in':
      return values(value).some(wanted => compare(actual, wanted) === 0)
    case 'nin':
      return !values(value).some(wanted => compare(actual, wanted) === 0)
  }
}

const time = /^\d{4}-\d{2}-\d{2}T/

function compare (left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [a, b] = [String(left ?? ''), String(right ?? '')]
  // Compare times as times: as texts, one with and one without milliseconds would differ.
  if (time.test(a) && time.test(b)) return Date.parse(a) - Date.parse(b)
  return a < b ? -1 : Number(a > b)
}

function values (value: unknown): unknown[] {
  if (!Array.isArray(value)) {
    throw invalid({ path: '/filter', message: 'the value of in and nin must be an array' })
  }
  return value
}

function nested (value: unknown): Filter[] {
  const filters = values(value)
  if (!filters.every(isFilter)) {
    throw invalid({ path: '/filter', message: 'and, or and not take filters with an operator' })
  }
  return filters
}

function isFilter (value: unknown): value is Filter {
  return typeof value === 'object' && value !== null && 'operator' in value
}
