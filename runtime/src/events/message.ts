import { Type, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

export const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

/** No control characters: PostgreSQL refuses NUL, and in a log line the others forge lines. */
export const printable = '^[^\\u0000-\\u001f\\u007f]+$'

/** ISO 8601, as loosely as the gate may have taken it from a sender. */
export const DateTime = Type.String({
  maxLength: 64,
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?([Zz]|[+-]\\d\\d(:?\\d\\d)?)?$'
})

const RequestId = Type.String({ pattern: '^[A-Za-z0-9._:-]{1,128}$' })

/**
 * The request id of a message, as a member to spread. It only serves tracing: a bad one is left out
 * and costs no event.
 */
export function requestIdOf (value: unknown): { requestId?: string } {
  return Value.Check(RequestId, value) ? { requestId: value } : {}
}

/** What is wrong with a message: the place and the rule, never the content. */
export interface Malformed {
  malformed: string
}

export function describeProblem (schema: TSchema, value: unknown, place: string): Malformed {
  if (value === undefined) return { malformed: `${place}: not a JSON object` }
  const problem = Value.Errors(schema, value).First()
  return { malformed: `${place}${problem?.path ?? ''}: ${problem?.message ?? 'invalid'}` }
}
