import { InvalidRequestError } from '../errors.ts'

/** The version that `If-Match` names; undefined when any will do. */
export function parseIfMatch (value: string | undefined): number | undefined {
  if (value === undefined || value === '*') return undefined
  const match = /^"(\d{1,9})"$/.exec(value)
  if (match === null) throw new InvalidRequestError('If-Match must be an ETag of this resource, such as "3"')
  return Number(match[1])
}
