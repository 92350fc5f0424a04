import { Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { requestIdPattern } from '../text-patterns.ts'

const RequestId = Type.String({ pattern: requestIdPattern })

/**
 * The request id of a message, as a member to spread. The id only serves tracing, so a malformed id
 * is left out and the event still counts.
 */
export function requestIdOf (value: unknown): { requestId?: string } {
  return Value.Check(RequestId, value) ? { requestId: value } : {}
}

/** The fault of a message: the place and the rule, never the content. */
export interface Malformed {
  malformed: string
}

export function describeProblem (schema: TSchema, value: unknown, place: string): Malformed {
  if (value === undefined) return { malformed: `${place}: not a JSON object` }
  const problem = Value.Errors(schema, value).First()
  return { malformed: `${place}${problem?.path ?? ''}: ${problem?.message ?? 'invalid'}` }
}
