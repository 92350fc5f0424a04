import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answer } from '../support/api.ts'
import type { Description, Operation } from './description.ts'

/** Problems that every operation may have; none of them is a good answer. */
const failures: readonly unknown[] = ['LNK_INTERNAL', 'LNK_DATABASE_UNAVAILABLE']
/** Problems of requests before they reach an operation. */
const early: readonly unknown[] = [
  'LNK_REQUEST_INVALID',
  'LNK_NOT_FOUND',
  'LNK_REQUEST_TIMEOUT',
  'LNK_HEADERS_TOO_LARGE'
]

/**
 * The codes whose status is 500. The specification says so for the first two (section 7.2); the
 * third is about a setting that the operator has to change.
 */
const specified: readonly unknown[] = [
  'LNK_CAPABILITY_NOT_SUPPORTED',
  'LNK_ADAPTER_MISSING',
  'LNK_ADAPTER_CONFIGURATION'
]

export type Judge = (operation: Operation, answer: Answer) => string[]

/** Returns a function that lists what an answer has that the description does not promise. */
export function createJudge (description: Description): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(description, 'description')
  // Ajv compiles the schema of an object once.
  const schemas = new Map<object, object>()

  function findMismatch (schema: object, value: unknown): string[] {
    const absolute = schemas.get(schema) ??
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description#/')) as object
    schemas.set(schema, absolute)
    return ajv.validate(absolute, value) ? [] : [`the body does not fit: ${ajv.errorsText()}`]
  }

  return (operation, { status, headers, text, json }) => {
    const described = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined)
    if (described === undefined) return [`the status ${status} is not described`]
    const { code } = (json ?? {}) as { code?: unknown }
    const isOfPlatform = status > 500 && String(code).startsWith('LNK_ADAPTER_')
    const own = operation.responses[status]
    const codes = own?.['x-linker-codes']
    const isDescribed = own !== undefined && codes?.includes(String(code)) !== false && !failures.includes(code)
    const isExpected = status < 500 || isDescribed || isOfPlatform || specified.includes(code)
    const isNamed = code === undefined || early.includes(code) || (codes ?? []).includes(String(code))
    const broken = isExpected ? [] : ['the hub failed']
    const content = described.content ?? {}
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
    if (Object.keys(content).length === 0) return text === '' ? broken : [...broken, 'the body is not described']
    const fitting = content[type] ?? content['*/*']
    if (fitting === undefined) return [...broken, `the type '${type}' is not described`]
    const wrongStatus = status >= 400 && (json as { status?: unknown }).status !== status
      ? [`the body names another status than ${status}`]
      : []
    // Adapters name the problems of their routes themselves.
    const unnamed = status < 400 || isNamed || operation.path.startsWith('/integrations/')
      ? []
      : [`the code ${String(code)} is not described`]
    return [
      ...broken,
      ...wrongStatus,
      ...unnamed,
      ...(type.endsWith('json') ? findMismatch(fitting.schema, json) : [])
    ]
  }
}
