/** A JSON Schema of an adapter, as its package describes it. */
export type Schema = Readonly<Record<string, unknown>>

export function isSchema (value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The values of a schema that lists all of them, as an enum or as a union of constants. */
export function literalsOf (schema: Schema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const]
  if (Array.isArray(schema.enum)) return schema.enum as unknown[]
  if (!Array.isArray(schema.anyOf)) return undefined
  const parts = (schema.anyOf as unknown[]).map(part => isSchema(part) ? literalsOf(part) : undefined)
  return parts.every(part => part !== undefined) ? parts.flat() : undefined
}
