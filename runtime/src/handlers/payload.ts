import { RejectedError } from '@linker/sdk'
import { Value, type ValueError } from '@sinclair/typebox/value'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { printable, uuidPattern } from '../events/message.ts'

const mostProblems = 5

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

/** Checks what an adapter answered against the schema of the boundary. */
export function parseAnswer<Schema extends TSchema> (schema: Schema, what: string, answer: unknown): Static<Schema> {
  if (!Value.Check(schema, answer)) {
    // One after the other: a large answer may have more of them than memory.
    const problems: ValueError[] = []
    for (const problem of Value.Errors(schema, answer)) {
      if (problems.push(problem) === mostProblems) break
    }
    throw new RejectedError(`${what} answered something else than its contract says: ${
      problems.map(describe).join('; ')
    }`)
  }
  return Value.Decode(schema, answer)
}

/** A union says only that it is one: its words are what the author needs. */
function describe ({ path, message, schema }: ValueError): string {
  const words =
    (schema.anyOf as readonly TSchema[] | undefined)?.flatMap(member =>
      typeof member.const === 'string' ? [`'${member.const}'`] : []
    ) ?? []
  return `${path === '' ? 'the answer' : path}: ${words.length === 0 ? message : `Expected one of ${words.join(', ')}`}`
}
