import { RejectedError } from '@linker/sdk'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value, type ValueError } from '@sinclair/typebox/value'

const mostProblems = 5

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
