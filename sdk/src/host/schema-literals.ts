/**
 * The values of a schema that lists all of them, as an enum or as a union of constants. Undefined
 * for any other schema.
 */
export function literalsOf (schema: object): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const]
  if ('enum' in schema && Array.isArray(schema.enum)) return schema.enum as unknown[]
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return undefined
  const parts = (schema.anyOf as unknown[]).map(part =>
    typeof part === 'object' && part !== null ? literalsOf(part) : undefined
  )
  return parts.every(part => part !== undefined) ? parts.flat() : undefined
}
