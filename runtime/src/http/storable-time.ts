import { InvalidRequestError } from '../errors.ts'

const lastTimeMs = Date.UTC(9999, 11, 31)

/**
 * A time of a query as PostgreSQL takes it: RFC 3339 has leap seconds, offsets and years that it
 * refuses. Nothing that the hub keeps is older than 1970. Throws a 400 for a form that the format
 * lets pass and nobody reads.
 */
export function toStorableTime (time: string): string {
  const atMs = Date.parse(time.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  if (Number.isNaN(atMs)) {
    throw new InvalidRequestError(`'${time}' cannot be read as a time: write it as 2026-01-31T09:59:33Z`)
  }
  return new Date(Math.min(Math.max(0, atMs), lastTimeMs)).toISOString()
}
