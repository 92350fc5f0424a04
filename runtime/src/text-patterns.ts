import { Type } from '@sinclair/typebox'

// Patterns that several floors check texts from outside against.

/** For schemas. `isUuid` is the same question to one text. */
export const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

const uuid = new RegExp(uuidPattern)

/** Whether PostgreSQL takes the text as a `uuid` in the form in which ids are written here. */
export function isUuid (text: string): boolean {
  return uuid.test(text)
}

/** No control characters: PostgreSQL refuses NUL, and in a log line the others forge lines. */
export const printable = '^[^\\u0000-\\u001f\\u007f]+$'

/** ISO 8601, as loosely as the gate may have taken it from a sender. */
export const DateTime = Type.String({
  maxLength: 64,
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?([Zz]|[+-]\\d\\d(:?\\d\\d)?)?$'
})
