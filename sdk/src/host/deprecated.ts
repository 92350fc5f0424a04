import type { SchemaProblem } from './json-schema.ts'
import { escapePointer } from './pointer.ts'

interface Node {
  deprecated?: unknown
  description?: unknown
  properties?: unknown
  items?: unknown
  allOf?: unknown
}

const mostProblems = 100

/**
 * Lists the members of a value that its schema marks with `deprecated: true`, each with a pointer
 * and the description of the schema.
 */
export function findDeprecated (schema: object, value: unknown, pointer = ''): SchemaProblem[] {
  const found: SchemaProblem[] = []
  collect(schema, value, pointer, found)
  return found
}

function collect (schema: unknown, value: unknown, pointer: string, found: SchemaProblem[]): void {
  if (!isObject(schema) || value === undefined || found.length >= mostProblems) return
  const { deprecated, description, properties, items, allOf }: Node = schema
  if (deprecated === true) {
    const reason = typeof description === 'string' ? `: ${description}` : ''
    found.push({ pointer, code: 'deprecated', message: `is deprecated${reason}` })
    return
  }
  if (Array.isArray(allOf)) { for (const part of allOf) collect(part, value, pointer, found) }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(items, item, `${pointer}/${index}`, found)
  } else if (isObject(value) && isObject(properties)) {
    const members = new Map(Object.entries(value))
    for (const [name, member] of Object.entries(properties)) {
      collect(member, members.get(name), `${pointer}/${escapePointer(name)}`, found)
    }
  }
}

function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
