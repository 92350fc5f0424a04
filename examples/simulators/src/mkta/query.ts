import type { Query } from '../request-log.ts'
import { RestError } from './errors.ts'

export interface PageBounds {
  limit: number
  most: number
  mostRows?: number
}

/** Answers at most `limit` rows from `offset` on; rows after `mostRows` are out of reach. */
export function pageOf<Row> (
  query: Query,
  rows: readonly Row[],
  { limit: preset, most, mostRows = 10_000_000 }: PageBounds
): Row[] {
  const offset = wholeNumber(query, 'offset', [0, 0, mostRows])
  const limit = wholeNumber(query, 'limit', [preset, 1, most])
  if (offset + limit > mostRows) throw refusal('offset', `offset and limit must be at most ${mostRows} together`)
  return rows.slice(offset, offset + limit)
}

function wholeNumber (query: Query, name: string, [preset, least, greatest]: [number, number, number]): number {
  const value = Number(query[name] ?? preset)
  if (!Number.isInteger(value) || value < least || value > greatest) {
    throw refusal(name, `${name} must be between ${least} and ${greatest}`)
  }
  return value
}

/** Whether a parameter is missing or names one of the values. It may be repeated. */
export function among (query: Query, name: string, values: readonly string[]): boolean {
  const wanted = query[name]
  return wanted === undefined || [wanted].flat().some(value => values.includes(value))
}

/** Makes a filter: for every given parameter, a row must have one of the wanted values. */
export function valueFilter<Row> (
  query: Query,
  values: Record<string, (row: Row) => readonly string[]>
): (row: Row) => boolean {
  const given = Object.entries(values).filter(([name]) => query[name] !== undefined)
  return row => given.every(([name, read]) => among(query, name, read(row)))
}

/**
 * Makes a filter: one of the values must be from `{name}.gte` to `{name}.lte`, both included. Each
 * bound is optional.
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

/** Sorts rows by the key that `sort` names; a minus before it sorts downwards. */
export function sorted<Row> (query: Query, rows: readonly Row[], keys: Record<string, (row: Row) => number>): Row[] {
  if (query.sort === undefined) return [...rows]
  const [, minus, name = ''] = /^(-?)(.*)$/s.exec(String(query.sort)) ?? []
  const key = keys[name]
  if (key === undefined) {
    throw refusal('sort', `sort must be one of ${Object.keys(keys).join(', ')}, or one of them with a minus`)
  }
  return rows.toSorted((a, b) => minus === '-' ? key(b) - key(a) : key(a) - key(b))
}

export function refusal (path: string, message: string): RestError {
  return new RestError(400, { code: 'ConstraintViolationException', message, path })
}
