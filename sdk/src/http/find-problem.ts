import type { TSchema } from '@sinclair/typebox'
import { isKeptNumber } from '../parse-json.ts'

/**
 * Returns the first difference between an answer and its schema, for a message. Never quotes the
 * answer: neither a value nor a key that the schema does not name.
 */
export async function findProblem (schema: TSchema, value: unknown): Promise<string | undefined> {
  // Imported for the first answer that is checked: threads of adapters start faster without it.
  const { Value } = await import('@sinclair/typebox/value')
  try {
    const problem = Value.Errors(schema, value).First()
    if (problem === undefined) return undefined
    return `an unknown form: ${problem.path === '' ? 'the body' : showPath(problem.path, schema, value)}: ${
      asksForNumber(problem.schema) && isKeptNumber(problem.value) ? beyondNumbers : problem.message
    }`
  } catch (error) {
    const { TypeBoxError } = await import('@sinclair/typebox')
    // The adapter's own code may run in a check, and its message may quote the value.
    const reason = error instanceof TypeBoxError ? error.message : error instanceof Error ? error.name : 'no error'
    return `a body that nobody can check, because the schema of the adapter is at fault: ${reason}`
  }
}

const beyondNumbers = 'a whole number beyond 2^53, which a number would round: ask for a text'

function asksForNumber ({ type }: TSchema): boolean {
  return type === 'number' || type === 'integer'
}

/** Writes `*` for a member that is no index and not in the schema, such as a key of a record. */
function showPath (path: string, schema: TSchema, value: unknown): string {
  const names = namesIn(schema)
  let parent = value
  return path.split('/').slice(1).map(member => {
    const name = member.replaceAll('~1', '/').replaceAll('~0', '~')
    const isShown = names.has(name) || Array.isArray(parent)
    parent = memberOf(parent, name)
    return `/${isShown ? member : '*'}`
  }).join('')
}

function memberOf (parent: unknown, name: string): unknown {
  return typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[name] : undefined
}

/** Returns the names of all properties that a schema declares, at any depth. */
function namesIn (part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return names
  const { properties = {}, ...others } = part as { properties?: object }
  for (const name of Object.keys(properties)) names.add(name)
  for (const inner of [...Object.values(properties), ...Object.values(others)]) namesIn(inner, names)
  return names
}
