import { RejectedError } from '@linker/sdk'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value, type ValueError } from '@sinclair/typebox/value'

const mostProblems = 5

/** Checks the answer of an adapter against the schema of the boundary. */
export function parseAnswer<Schema extends TSchema> (schema: Schema, what: string, answer: unknown): Static<Schema> {
  if (Value.Check(schema, answer)) return answer
  // Take the problems one by one: all problems of a large answer may not fit into memory.
  const problems: ValueError[] = []
  for (const problem of Value.Errors(schema, answer)) {
    if (problems.push(problem) === mostProblems) break
  }
  throw new RejectedError(`${what} returned an answer that breaks its contract: ${problems.map(describe).join('; ')}`)
}

/**
 * The message about a union of words does not list the words, but the author of the adapter needs
 * them.
 */
function describe ({ path, message, schema }: ValueError): string {
  const words =
    (schema.anyOf as readonly TSchema[] | undefined)?.flatMap(member =>
      typeof member.const === 'string' ? [`'${member.const}'`] : []
    ) ?? []
  return `${path === '' ? 'the answer' : path}: ${words.length === 0 ? message : `Expected one of ${words.join(', ')}`}`
}
