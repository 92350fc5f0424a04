import { Ajv, type ErrorObject, type FormatDefinition } from 'ajv'
import addFormats from 'ajv-formats'
import { compileLinearPattern } from './linear-pattern.ts'
import { judgeSchema } from './schema-cost.ts'

/** What is wrong with a value. Empty: nothing is. */
export interface FoundErrors {
  errors: readonly ErrorObject[]
  /** False: it is the first error, and there may be more. */
  isComplete: boolean
}

export type FindErrors = (value: unknown) => FoundErrors

export interface ForeignSchemaOptions {
  /**
   * Turns texts into the type that the schema wants, in the value itself; with `array` one value
   * becomes a list too. Default: no.
   */
  coerceTypes?: false | 'array'
  /** Fills in what the schema has a default for, in the value itself. Default: no. */
  useDefaults?: boolean
}

/**
 * Errors that a check may make, by the cost of the schema and the parts of the value: each takes
 * memory.
 */
const mostErrors = 1_000_000
/** Some formats are patterns that go back in the text. Nothing that has a format is longer. */
const longestFormatted = 2_048
const unlimitedFormats: ReadonlySet<string> = new Set(['byte', 'binary', 'password'])

/**
 * Compiles a schema that an adapter brought. Checking takes time in proportion to the value:
 * patterns are run by RE2, formats are bounded, and a schema that could take more is refused with
 * an error. Every problem of a value is found, but for large values, of which the first one is.
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
  // What it is was checked when its adapter was loaded.
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

/** The same text for values that are equal. Ajv compares every two items instead. */
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
