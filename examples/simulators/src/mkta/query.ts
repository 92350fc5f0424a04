import type { Query } from '../request-log.ts'
import { RestError } from './errors.ts'

export interface PageBounds {
  /** The number of rows of a page whose request has no `limit`. */
  defaultLimit: number
  maxLimit: number
  /** The number of rows that paging can reach. Default 10 000 000. */
  maxRows?: number
  /** The greatest `offset`. Default `maxRows`. */
  maxOffset?: number
  /** The status of a refusal. Default 400. */
  status?: 400 | 422
}

/**
 * Returns the page of rows that the parameters `offset` and `limit` ask for. Refuses a page that
 * ends after `maxRows`.
 */
export function pageOf<Row> (
  query: Query,
  rows: readonly Row[],
  { defaultLimit, maxLimit, maxRows = 10_000_000, maxOffset = maxRows, status }: PageBounds
): Row[] {
  const offset = wholeNumber(query, 'offset', { preset: 0, least: 0, greatest: maxOffset, status })
  const limit = wholeNumber(query, 'limit', { preset: defaultLimit, least: 1, greatest: maxLimit, status })
  if (offset + limit > maxRows) throw refusal('offset', `the sum of offset and limit must be at most ${maxRows}`)
  return rows.slice(offset, offset + limit)
}

function wholeNumber (
  query: Query,
  name: string,
  { preset, least, greatest, status }: {
    preset: number,
    least: number,
    greatest: number,
    status: PageBounds['status']
  }
): number {
  const text = query[name]
  if (text === undefined) return preset
  // `Number` alone would also accept an empty text, `0x10` and `1e2`.
  const value = typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= greatest)) {
    throw refusal(name, `${name} must be a whole number from ${least} to ${greatest}`, status)
  }
  return value
}

/**
 * Whether the query lacks the parameter, or its text is one of the values. When the query repeats
 * the parameter, one of its texts is enough.
 */
export function acceptsAny (query: Query, name: string, values: readonly string[]): boolean {
  const wanted = query[name]
  return wanted === undefined || [wanted].flat().some(value => values.includes(value))
}

/**
 * Makes a filter of rows. For each parameter, `values` has a function that reads the values of a
 * row. A row passes when, for every parameter in the query, it has a value that the query names.
 */
export function valueFilter<Row> (
  query: Query,
  values: Record<string, (row: Row) => readonly string[]>
): (row: Row) => boolean {
  const given = Object.entries(values).filter(([name]) => query[name] !== undefined)
  return row => given.every(([name, read]) => acceptsAny(query, name, read(row)))
}

/**
 * Makes a filter of the values of a row. A row passes when one value lies from `{name}.gte` to
 * `{name}.lte`, bounds included. Each bound is optional. `read` turns a bound or a value into a
 * number.
 */
export function rangeOf (
  query: Query,
  name: string,
  read: (text: string) => number
): (values: readonly string[]) => boolean {
  const bound = (end: string, preset: number) => {
    const text = query[`${name}.${end}`]
    const value = text === undefined ? preset : read(String(text))
    if (Number.isNaN(value)) throw refusal(`${name}.${end}`, `${name}.${end} cannot be read: ${String(text)}`)
    return value
  }
  const [least, greatest] = [bound('gte', -Infinity), bound('lte', Infinity)]
  return values => values.map(read).some(value => value >= least && value <= greatest)
}

/** Sorts rows by the key that `sort` names. A minus before the key sorts in descending order. */
export function sorted<Row> (query: Query, rows: readonly Row[], keys: Record<string, (row: Row) => number>): Row[] {
  if (query.sort === undefined) return [...rows]
  const [, minus, name = ''] = /^(-?)(.*)$/s.exec(String(query.sort)) ?? []
  // Without `hasOwn`, `sort=constructor` would find an inherited member.
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined
  if (key === undefined) {
    throw refusal('sort', `sort must be one of ${Object.keys(keys).join(', ')}, with or without a minus before it`)
  }
  return rows.toSorted((a, b) => minus === '-' ? key(b) - key(a) : key(a) - key(b))
}

/** Returns the refusal of one parameter or member of a request. */
export function refusal (path: string, message: string, status = 400): RestError {
  return new RestError(status, { code: 'ConstraintViolationException', message, path })
}
