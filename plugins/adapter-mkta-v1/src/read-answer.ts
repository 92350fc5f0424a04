import { parseJson, TransientError } from '@linker/sdk'
import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** Checks `value` against the schema. Throws a `TransientError`: it may be the page of a proxy. */
export function parseAs<Schema extends TSchema> (schema: Schema, value: unknown, what: string): Static<Schema> {
  if (Value.Check(schema, value)) return value
  const problem = Value.Errors(schema, value).First()
  const found = `${problem?.path ?? ''}: ${problem?.message ?? ''}`
  throw new TransientError(`the marketplace described ${what} in an unknown form (${found})`)
}

/** Parses the JSON of a body. */
export function parseBody (body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    // Give no cause: the parser's error quotes the body.
    throw new TransientError('the marketplace answered with a body that is not JSON')
  }
}
