import { Type } from '@sinclair/typebox'

// Patterns for texts from outside, which several floors check.

/** For schemas. To check a single text, call `isUuid`. */
export const uuidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

const uuid = new RegExp(uuidPattern)

/** Whether the text is a `uuid` of PostgreSQL in the form in which the hub writes ids. */
export function isUuid (text: string): boolean {
  return uuid.test(text)
}

/** Fewer digits would find ids by chance. */
const fewestDigits = 8
const dashes = new Set([8, 13, 18, 23])

/**
 * The range of the ids that begin with a text of eight characters or more, or null when no id does.
 */
export function idsBeginningWith (text: string): { first: string, last: string } | null {
  const fits = [...text].every((character, index) =>
    dashes.has(index) ? character === '-' : /[0-9a-f]/i.test(character)
  )
  if (!fits || text.length < fewestDigits || text.length > 36) return null
  return {
    first: text + '00000000-0000-0000-0000-000000000000'.slice(text.length),
    last: text + 'ffffffff-ffff-ffff-ffff-ffffffffffff'.slice(text.length)
  }
}

/** No control characters: PostgreSQL refuses NUL, and in a log line the others forge lines. */
export const printable = '^[^\\u0000-\\u001f\\u007f]+$'

/** Matches a text that a person types to find something: printable, and more than blanks. */
export const findable = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]+$'

export const visiblePattern = '^[\\x21-\\x7e]+$'
export const requestIdPattern = '^[A-Za-z0-9._:-]{1,128}$'
export const jobTypePattern = '^[A-Za-z][A-Za-z0-9-]*(\\.[A-Za-z][A-Za-z0-9]*)+$'
export const problemCodePattern = '^LNK_[A-Z0-9_]{1,100}$'
export const orderProblemPattern = '^([a-z]+(-[a-z]+)*|LNK_[A-Z]+(_[A-Z]+)*)$'
export const tokenNamePattern = '^[A-Za-z0-9][A-Za-z0-9 ._@-]*$'
export const credentialsRefPattern = '^db:[A-Za-z0-9_-]{1,200}$'
/** The SDK lets no adapter read a cursor of another name. */
export const cursorKeyPattern = '^(?!__proto__$)[^\\u0000]+$'

/** ISO 8601, in every form that the gate accepts from a sender. */
export const DateTime = Type.String({
  maxLength: 64,
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?([Zz]|[+-]\\d\\d(:?\\d\\d)?)?$'
})
