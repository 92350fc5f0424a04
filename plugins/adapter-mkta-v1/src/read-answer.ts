import { TransientError } from '@linker/sdk'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/**
 * `value` as the schema describes it. In another form it may be a page of something in between: a
 * passing fault.
 */
export function parseAs<Schema extends TSchema> (schema: Schema, value: unknown, what: string): Static<Schema> {
  if (Value.Check(schema, value)) return value
  const problem = Value.Errors(schema, value).First()
  throw new TransientError(`the marketplace described ${what} in an unknown form (${problem?.path ?? ''}: ${
    problem?.message ?? ''
  })`)
}

/** JSON of a body that was asked for as it is. */
export function parseBody (body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Without the parser's error as its cause: that quotes the body.
    throw new TransientError('the marketplace answered with a body that is no JSON')
  }
}
