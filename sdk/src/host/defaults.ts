import { isDeepStrictEqual } from 'node:util'
import { compileForeignSchema, mayHaveDefaults, type FindErrors } from './foreign-schema.ts'
import { describeProblems, type SchemaProblem } from './json-schema.ts'
import { escapePointer } from './pointer.ts'
import { ofNamedSchemas, ofOneSchema, ofSchemas } from './schema-keywords.ts'

/**
 * Makes the function that returns a value as the adapter gets it: a copy in which each absent
 * member has the default of its schema. Ajv fills in no default below `anyOf`, `oneOf` and `not`.
 */
export function createFillDefaults (schema: object): <Value>(value: Value) => Value {
  // Look at the schema when there is a value: only then has the loader checked that it is one.
  let fill: FindErrors | 'nothing' | undefined
  return value => {
    fill ??= mayHaveDefaults(schema) ? compileForeignSchema(schema, { useDefaults: true }) : 'nothing'
    if (fill === 'nothing') return value
    const filled = structuredClone(value)
    fill(filled)
    return filled
  }
}

/**
 * Returns the config that a new connection gets: a copy in which each absent member has the
 * `initial` value of its schema, where that has one. So a new connection may begin with another
 * value than the `default`, which an older connection without the member keeps.
 */
export function withInitialValues (
  schema: object,
  config: Readonly<Record<string, unknown>>
): Record<string, unknown> {
  const initial = initialValuesOf(schema)
    .filter(([name]) => !Object.hasOwn(config, name))
    .map(([name, value]) => [name, structuredClone(value)])
  return { ...config, ...Object.fromEntries(initial) }
}

/**
 * Lists the initial values of a config's members that their own schemas refuse, or that belong to a
 * secret: everybody who may read the adapters sees them.
 */
export function wrongInitialValues (schema: object): SchemaProblem[] {
  return initialValuesOf(schema).flatMap(([name, initial, member]) => {
    const pointer = `/properties/${escapePointer(name)}/initial`
    if (member['secret'] === true) return [{ pointer, code: 'secret', message: 'belongs to a secret member' }]
    if (JSON.stringify(member).includes('"$ref":')) return []
    return describeProblems(compileForeignSchema(member, { useDefaults: true })(structuredClone(initial)).errors)
      .slice(0, 1)
      .map(problem => ({ ...problem, pointer: `${pointer}${problem.pointer}` }))
  })
}

/** The members of a config that have an initial value: their names, values and schemas. */
function initialValuesOf (schema: object): [
  name: string,
  initial: unknown,
  member: Readonly<Record<string, unknown>>
][] {
  const properties: unknown = 'properties' in schema ? schema.properties : undefined
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
    isObject(member) && Object.hasOwn(member, 'initial') ? [[name, member['initial'], member]] : []
  )
}

/**
 * Returns a changed copy of `filled` without the defaults that `given` lacks: what is still as it
 * was filled in becomes again as it was given.
 */
export function withoutDefaults (changed: unknown, filled: unknown, given: unknown): unknown {
  if (isDeepStrictEqual(changed, filled)) return given
  if (!isObject(changed) || !isObject(filled) || !isObject(given)) return changed
  return Object.fromEntries(Object.entries(changed).flatMap(([name, value]) => {
    const before = Object.hasOwn(filled, name) ? filled[name] : undefined
    if (Object.hasOwn(given, name)) return [[name, withoutDefaults(value, before, given[name])]]
    return Object.hasOwn(filled, name) && isDeepStrictEqual(value, before) ? [] : [[name, value]]
  }))
}

function isObject (value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Fills in the defaults of the settings of one adapter. */
export interface SettingsDefaults {
  config<Value>(value: Value): Value
  credentials<Value>(value: Value): Value
}

export const noDefaults: SettingsDefaults = { config: value => value, credentials: value => value }

/**
 * Lists the defaults that their own schema refuses: every value without the member would be wrong.
 * Does not judge a default beside a `$ref`, whose meaning depends on the whole schema.
 */
export function wrongDefaults (schema: object, pointer = ''): SchemaProblem[] {
  if (!mayHaveDefaults(schema)) return []
  const own = 'default' in schema && !JSON.stringify(schema).includes('"$ref":')
    ? describeProblems(compileForeignSchema(schema, { useDefaults: true })(structuredClone(schema.default)).errors)
      .slice(0, 1)
      .map(problem => ({ ...problem, pointer: `${pointer}/default${problem.pointer}` }))
    : []
  return [
    ...own,
    ...schemasBelow(schema).flatMap(([path, below]) => wrongDefaults(below, `${pointer}${path}`))
  ]
}

/**
 * Lists the pointers of the defaults that stand beside `secret: true`. Everybody who may read the
 * adapters sees them, and the hub does not redact them: it knows only the secrets that are stored.
 */
export function defaultsOfSecrets (schema: object, pointer = ''): string[] {
  if (!mayHaveDefaults(schema)) return []
  return [
    ...'default' in schema && 'secret' in schema && schema.secret === true ? [`${pointer}/default`] : [],
    ...schemasBelow(schema).flatMap(([path, below]) => defaultsOfSecrets(below, `${pointer}${path}`))
  ]
}

/** Lists the schemas in a schema, each with its pointer. */
export function schemasBelow (schema: object): [string, object][] {
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]): [string, object][] => {
    if (typeof value !== 'object' || value === null) return []
    const isList = Array.isArray(value)
    if (isList ? ofSchemas.has(keyword) : ofNamedSchemas.has(keyword)) {
      return Object.entries(value).flatMap(([name, below]: [string, unknown]): [string, object][] =>
        typeof below === 'object' && below !== null ? [[`/${keyword}/${escapePointer(name)}`, below]] : []
      )
    }
    return !isList && ofOneSchema.has(keyword) ? [[`/${keyword}`, value]] : []
  })
}
