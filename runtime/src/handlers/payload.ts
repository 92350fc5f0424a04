import { RejectedError } from '@linker/sdk'
import { Value } from '@sinclair/typebox/value'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { printable, uuidPattern } from '../text-patterns.ts'

/**
 * Payload of every job that names one object of a platform. More members may be there: those of the
 * webhook.
 */
export const ExternalObject = Type.Object({
  externalId: Type.String({ minLength: 1, maxLength: 1023, pattern: printable })
})

/** Id of one of our own rows. */
export const Id = Type.String({ pattern: uuidPattern })

/**
 * Checks a payload that may come from a stream anybody can write to. Throws `RejectedError` with a
 * pointer per problem: the job is dead at once.
 */
export function parsePayload<Schema extends TSchema> (
  schema: Schema,
  jobType: string,
  payload: unknown
): Static<Schema> {
  const fields = [...Value.Errors(schema, payload)].map(error => ({
    pointer: `/payload${error.path}`,
    code: 'invalid',
    message: error.message
  }))
  if (fields.length > 0) throw new RejectedError(`the payload of ${jobType} is invalid`, { fields })
  return Value.Decode(schema, payload)
}
