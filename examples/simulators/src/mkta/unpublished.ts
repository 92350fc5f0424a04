interface Schema {
  type?: string | readonly string[]
  properties?: Record<string, Schema>
  items?: Schema
}

/**
 * Returns the members of a request that the published schema does not have, and those that are null
 * although it gives them no null. Each is a path: `scheduledAt`, `lineItems.0.name`.
 */
export function unpublishedIn (schema: Schema, value: unknown): string[][] {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? [] : value.flatMap((item, index) => below(String(index), items, item))
  }
  const { properties } = schema
  if (typeof value !== 'object' || value === null || properties === undefined) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const of = Object.hasOwn(properties, name) ? properties[name] : undefined
    return of === undefined || (member === null && ![of.type].flat().includes('null'))
      ? [[name]]
      : below(name, of, member)
  })
}

function below (name: string, schema: Schema, value: unknown): string[][] {
  return unpublishedIn(schema, value).map(path => [name, ...path])
}

/** Removes the member at a path. */
export function removeAt (value: unknown, path: readonly string[]): void {
  const parent = path.slice(0, -1).reduce<unknown>((of, name) => isObject(of) ? of[name] : undefined, value)
  const last = path.at(-1)
  if (isObject(parent) && last !== undefined) delete parent[last]
}

function isObject (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
