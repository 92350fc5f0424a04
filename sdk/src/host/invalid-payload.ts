import { RejectedError } from '../errors.ts'
import type { FieldError } from '../schemas/values.ts'

const mostNamed = 5

/** The error of a job whose payload does not fit. Its message names the first wrong members. */
export function invalidPayload (jobType: string, fields: readonly FieldError[]): RejectedError {
  const named = fields.slice(0, mostNamed).map(({ pointer, message }) => `${pointer} ${message}`)
  if (fields.length > mostNamed) named.push(`${fields.length - mostNamed} more`)
  return new RejectedError(`the payload of ${jobType} is invalid: ${named.join('; ')}`, { fields })
}
