import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'

/** One problem of a value. `pointer` is a JSON pointer to the member concerned, a missing or unknown one included. */
export interface SchemaProblem { pointer: string, code: string, message: string }
export interface SchemaCheck { problems: SchemaProblem[], unknown: SchemaProblem[] }

/** Checks a value against a compiled schema. Members the schema does not know are reported apart: their meaning differs by caller. */
export type SchemaValidator = (value: unknown, pointerPrefix?: string) => SchemaCheck

// One for all schemas: it takes longer to compile than they do, and a hub compiles dozens when it starts.
let schemaOfSchemas: Ajv | undefined

/** Compiles a JSON Schema that came from outside the runtime. Nothing is coerced, filled in or removed. Throws when it is no schema. */
export function compileSchema (schema: object): SchemaValidator {
  schemaOfSchemas ??= new Ajv({ strict: false })
  if (schemaOfSchemas.validateSchema(schema) !== true) throw new Error(`schema is invalid: ${schemaOfSchemas.errorsText()}`)
  const ajv = new Ajv({ allErrors: true, strict: false, meta: false, validateSchema: false })
  addFormats.default(ajv)
  const validate = ajv.compile(withUnknownMembersReported(schema))
  return function check (value, pointerPrefix = '') {
    if (validate(value)) return { problems: [], unknown: [] }
    const found = describeProblems(validate.errors ?? [], pointerPrefix)
    return { problems: found.filter(problem => problem.code !== unknownMember), unknown: found.filter(problem => problem.code === unknownMember) }
  }
}

const unknownMember = 'additionalProperties'

/** A top-level object schema without `additionalProperties` gets it, so that a misspelt member is noticed. */
function withUnknownMembersReported (schema: object): object {
  return 'type' in schema && schema.type === 'object' && !('additionalProperties' in schema) ? { ...schema, additionalProperties: false } : schema
}

type AjvError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>

/** Turns Ajv's errors into pointers to the members that are wrong and a sentence about each. */
export function describeProblems (errors: readonly AjvError[], pointerPrefix = ''): SchemaProblem[] {
  return collapseChoices(errors).map(error => describeProblem(error, pointerPrefix))
}

/** A union of literals reports every literal and the union: one error with all of them says the same. */
function collapseChoices (errors: readonly AjvError[]): AjvError[] {
  const unions = new Set(errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath))
  return [...Map.groupBy(errors, error => unions.has(error.instancePath) ? error.instancePath : Symbol('alone')).values()].flatMap(group => {
    const literals = group.filter(error => error.keyword === 'const')
    if (literals.length === 0 || literals.length !== group.length - 1) return group
    return group.filter(error => error.keyword === 'anyOf').map(error => ({ ...error, params: { allowedValues: literals.map(literal => literal.params.allowedValue as unknown) } }))
  })
}

function describeProblem (error: AjvError, pointerPrefix: string): SchemaProblem {
  const { missingProperty, additionalProperty, allowedValues, allowedValue } = error.params as Record<string, unknown>
  const member = missingProperty ?? additionalProperty
  const pointer = pointerPrefix + error.instancePath + (typeof member === 'string' ? `/${escapePointer(member)}` : '')
  if (missingProperty !== undefined) return { pointer, code: 'required', message: 'is required' }
  if (additionalProperty !== undefined) return { pointer, code: unknownMember, message: 'is not a known member' }
  if (Array.isArray(allowedValues)) return { pointer, code: error.keyword, message: `must be one of ${allowedValues.join(', ')}` }
  if (allowedValue !== undefined) return { pointer, code: error.keyword, message: `must be ${JSON.stringify(allowedValue)}` }
  return { pointer, code: error.keyword, message: error.message ?? 'is invalid' }
}

export function escapePointer (member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}
