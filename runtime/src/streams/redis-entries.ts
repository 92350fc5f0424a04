import type { Entry, Fields } from './port.ts'

type RedisEntry = [id: string, parts: string[]]

/** The bytes of the texts among the values, about. */
export function sizeOf (values: readonly (string | number)[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

/** How many strings, then fields and values. */
export function counted (fields: Fields): (string | number)[] {
  const parts = Object.entries(fields).flat()
  return [parts.length, ...parts]
}

/** Reads the answer of XREADGROUP. */
export function toEntries (reply: unknown): Entry[] {
  const streams = (reply ?? []) as [string, RedisEntry[]][]
  return streams.flatMap(([, entries]) =>
    entries.map(([id, parts]) => ({ id, fields: toFields(parts), deliveries: 1 }))
  )
}

/** When several fields have one name, the first one counts. */
export function toFields (parts: readonly string[]): Fields {
  const fields = new Map<string, string>()
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const name = parts[index] ?? ''
    if (!fields.has(name)) fields.set(name, parts[index + 1] ?? '')
  }
  return Object.fromEntries(fields)
}
