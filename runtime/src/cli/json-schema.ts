/** A JSON Schema of an adapter, as its package describes it. */
export type Schema = Readonly<Record<string, unknown>>

export function isSchema (value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
