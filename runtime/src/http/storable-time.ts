import { InvalidRequestError } from '../errors.ts'

const lastTimeMs = Date.UTC(9999, 11, 31)

/**
 * Turns a time of a query into one that PostgreSQL takes: RFC 3339 has leap seconds, offsets and
 * years that PostgreSQL refuses. A time before 1970 becomes 1970, because the hub keeps nothing
 * older. Throws a 400 for a time that fits the format of the schema but that JavaScript cannot
 * read.
 */
export function toStorableTime (time: string): string {
  const atMs = Date.parse(time.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  if (Number.isNaN(atMs)) {
    throw new InvalidRequestError(`'${time}' cannot be read as a time: write it as 2026-01-31T09:59:33Z`)
  }
  return new Date(Math.min(Math.max(0, atMs), lastTimeMs)).toISOString()
}
