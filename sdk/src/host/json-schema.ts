import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { compileForeignSchema, mayHaveDefaults, type FindErrors, type SchemaError } from './foreign-schema.ts'
import { escapePointer } from './pointer.ts'

/**
 * One problem of a value. `pointer` is a JSON pointer to the member concerned, even if the member
 * is missing or unknown.
 */
export interface SchemaProblem {
  pointer: string
  code: string
  message: string
}
export interface SchemaCheck {
  problems: SchemaProblem[]
  unknown: SchemaProblem[]
}

/**
 * Checks a value against a compiled schema. Reports unknown members separately, because their
 * meaning differs by caller.
 */
export type SchemaValidator = (value: unknown, pointerPrefix?: string) => SchemaCheck

// Use one for all schemas: it takes longer to compile than they do, and a hub compiles dozens at
// start.
let schemaOfSchemas: Ajv | undefined

/**
 * Compiles a JSON Schema of an adapter. The check changes nothing: it fills the schema's defaults
 * into a copy, as the adapter gets them, so that an absent member with a default is no problem.
 * Throws when the schema is invalid, or when a check could take more time than the length of the
 * value explains.
 */
export function compileSchema (schema: object): SchemaValidator {
  schemaOfSchemas ??= new Ajv({ strict: false })
  if (schemaOfSchemas.validateSchema(schema) !== true) {
    throw new Error(`schema is invalid: ${schemaOfSchemas.errorsText()}`)
  }
  const useDefaults = mayHaveDefaults(schema)
  const findErrors = compileForeignSchema(withUnknownMembersReported(schema), { useDefaults })
  return createCheck(useDefaults ? value => findErrors(structuredClone(value)) : findErrors)
}

/** Compiles a schema of the runtime itself. Its patterns may use everything that JavaScript has. */
export function compileOwnSchema (schema: object): SchemaValidator {
  const ajv = new Ajv({ allErrors: true, strict: false, meta: false, validateSchema: false })
  addFormats.default(ajv)
  const validate = ajv.compile(withUnknownMembersReported(schema))
  return createCheck(value => ({ errors: validate(value) ? [] : validate.errors ?? [], isComplete: true }))
}

const mostErrors = 10_000
const mostProblems = 100

function createCheck (findErrors: FindErrors): SchemaValidator {
  return function check (value, pointerPrefix = '') {
    const { errors, isComplete } = findErrors(value)
    // If only the first error is known and it is an unknown member, worse ones may follow.
    const isUnknown = ({ keyword }: SchemaError): boolean => isComplete && keyword === unknownMember
    const describe = (some: readonly SchemaError[]): SchemaProblem[] => {
      return describeProblems(some.slice(0, mostErrors), pointerPrefix).slice(0, mostProblems)
    }
    return {
      problems: describe(errors.filter(error => !isUnknown(error))),
      unknown: describe(errors.filter(isUnknown))
    }
  }
}

const unknownMember = 'additionalProperties'

/**
 * Adds `additionalProperties` to a top-level object schema without it, so that the check notices a
 * misspelt member.
 */
function withUnknownMembersReported (schema: object): object {
  return 'type' in schema && schema.type === 'object' && !('additionalProperties' in schema)
    ? { ...schema, additionalProperties: false }
    : schema
}

/** Converts Ajv's errors to pointers and one sentence each. */
export function describeProblems (errors: readonly SchemaError[], pointerPrefix = ''): SchemaProblem[] {
  return collapseChoices(errors).map(error => describeProblem(error, pointerPrefix))
}

/**
 * Merges the errors of a union of literals: Ajv reports every literal and the union, and one error
 * with all of them says the same.
 */
function collapseChoices (errors: readonly SchemaError[]): SchemaError[] {
  const unions = new Set(errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath))
  return [
    ...Map.groupBy(errors, error => unions.has(error.instancePath) ? error.instancePath : Symbol('alone')).values()
  ].flatMap(group => {
    const literals = group.filter(error => error.keyword === 'const')
    if (literals.length === 0 || literals.length !== group.length - 1) return group
    return group.filter(error => error.keyword === 'anyOf').map(error => ({
      ...error,
      params: { allowedValues: literals.map(literal => literal.params.allowedValue as unknown) }
    }))
  })
}

function describeProblem (error: SchemaError, pointerPrefix: string): SchemaProblem {
  const { missingProperty, additionalProperty, allowedValues, allowedValue, format } = error.params as Record<
    string,
    unknown
  >
  const member = missingProperty ?? additionalProperty
  const pointer = pointerPrefix + error.instancePath + (typeof member === 'string' ? `/${escapePointer(member)}` : '')
  if (missingProperty !== undefined) return { pointer, code: 'required', message: 'is required' }
  if (additionalProperty !== undefined) return { pointer, code: unknownMember, message: 'is not a known member' }
  if (Array.isArray(allowedValues)) {
    return { pointer, code: error.keyword, message: `must be one of ${allowedValues.join(', ')}` }
  }
  if (allowedValue !== undefined) {
    return { pointer, code: error.keyword, message: `must be ${JSON.stringify(allowedValue)}` }
  }
  if (format === 'date-time') {
    return { pointer, code: error.keyword, message: 'must be an RFC 3339 date-time such as 2026-11-25T09:00:00Z' }
  }
  return { pointer, code: error.keyword, message: error.message ?? 'is invalid' }
}
