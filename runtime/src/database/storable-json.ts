/**
 * Returns JSON text that PostgreSQL stores as `jsonb`. NUL characters and halves of surrogate
 * pairs, which PostgreSQL refuses, become U+FFFD; a BigInt becomes its digits. Otherwise an answer
 * of an adapter or a platform could keep a job from ending.
 */
export function toStorableJson (value: unknown): string {
  const text =
    JSON.stringify(value, (_name, member: unknown) => typeof member === 'bigint' ? String(member) : member) ?? 'null'
  // JSON.stringify writes both as escapes. The pattern matches an escaped backslash before them
  // first and keeps it.
  return text.replace(/\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g, escape => escape === '\\\\' ? escape : '\\ufffd')
}

/** Returns the value with the characters that PostgreSQL refuses replaced in its texts. */
export function toStorable<Value> (value: Value): Value {
  return JSON.parse(toStorableJson(value)) as Value
}
