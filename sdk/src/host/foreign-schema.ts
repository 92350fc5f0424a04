import { Ajv, type FormatDefinition } from 'ajv'
import addFormats from 'ajv-formats'
import { compileLinearPattern } from './linear-pattern.ts'
import { judgeSchema } from './schema-cost.ts'

/** The members of Ajv's errors that the hub reads. The published types do not name Ajv. */
export interface SchemaError {
  /** JSON pointer to the wrong value. */
  instancePath: string
  keyword: string
  params: Record<string, unknown>
  message?: string
}

/** The errors of a value; empty when it is valid. */
export interface FoundErrors {
  errors: readonly SchemaError[]
  /** False when this is only the first error and there may be more. */
  isComplete: boolean
}

export type FindErrors = (value: unknown) => FoundErrors

export interface ForeignSchemaOptions {
  /**
   * Converts texts in the value itself to the type of the schema; `array` also turns a single value
   * into a list. Default: no conversion.
   */
  coerceTypes?: false | 'array'
  /** Fills the schema's defaults into the value itself. Default: no. */
  useDefaults?: boolean
}

/**
 * The most errors of one check, estimated as the cost of the schema times the parts of the value:
 * each error takes memory.
 */
const mostErrors = 1_000_000
/** The most characters of a text with a format: some formats are patterns that backtrack. */
const longestFormatted = 2_048
const unlimitedFormats: ReadonlySet<string> = new Set(['byte', 'binary', 'password'])

/** Whether a schema may have a default anywhere. */
export function mayHaveDefaults (schema: object): boolean {
  return JSON.stringify(schema).includes('"default":')
}

/**
 * Compiles a schema of an adapter. Checking takes time in proportion to the value: RE2 runs the
 * patterns, formats are bounded, and a schema that could take more time throws an error. The check
 * finds every problem of a value, but only the first one of a large value.
 */
export function compileForeignSchema (schema: object, options: ForeignSchemaOptions = {}): FindErrors {
  const { faults: [fault], cost } = judgeSchema(schema)
  if (fault !== undefined) throw new Error(`${fault.pointer === '' ? 'it' : fault.pointer} ${fault.message}`)
  const findAll = createAjv(options, true).compile(schema)
  let findFirst: typeof findAll | undefined
  return value => {
    const isComplete = hasFewerParts(value, mostErrors / cost)
    const validate = isComplete ? findAll : findFirst ??= createAjv(options, false).compile(schema)
    return { errors: validate(value) ? [] : validate.errors ?? [], isComplete }
  }
}

function createAjv ({ coerceTypes = false, useDefaults = false }: ForeignSchemaOptions, allErrors: boolean): Ajv {
  const regExp = Object.assign((pattern: string) => compileLinearPattern(pattern), { code: 'compileLinearPattern' })
  // The loader has already checked that it is a schema.
  const ajv = new Ajv({
    allErrors,
    coerceTypes,
    useDefaults,
    removeAdditional: false,
    strict: false,
    meta: false,
    validateSchema: false,
    code: { regExp }
  })
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format !== undefined && !unlimitedFormats.has(name)) ajv.formats[name] = bounded(format)
  }
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly unknown[]) => {
      return !isWanted || new Set(items.map(canonical)).size === items.length
    }
  })
  return ajv
}

type Format = NonNullable<Ajv['formats'][string]>

function bounded (format: Format): Format {
  if (format instanceof RegExp) return (text: string) => text.length <= longestFormatted && format.test(text)
  if (typeof format === 'function') return (text: string) => text.length <= longestFormatted && format(text)
  if (typeof format !== 'object' || format.type === 'number' || format.async === true) return format
  const { validate } = format as FormatDefinition<string>
  if (typeof validate === 'string') return format
  const test = validate instanceof RegExp ? (text: string) => validate.test(text) : validate
  return {
    ...format as FormatDefinition<string>,
    validate: (text: string) => text.length <= longestFormatted && test(text)
  }
}

/** Returns the same text for equal values. Ajv would compare every two items instead. */
function canonical (value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => one < other ? -1 : 1))
  })
}

function hasFewerParts (value: unknown, most: number): boolean {
  let parts = 0
  const waiting: unknown[] = [value]
  for (const part of waiting) {
    if (typeof part !== 'object' || part === null) continue
    const members: unknown[] = Array.isArray(part) ? part : Object.values(part)
    parts += members.length
    if (parts > most) return false
    waiting.push(...members)
  }
  return true
}
