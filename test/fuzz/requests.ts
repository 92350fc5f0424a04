import fc, { type Arbitrary } from 'fast-check'
import type { Operation, Parameter, Schema } from './description.ts'
import { nameOf, type KnownValues } from './known-values.ts'

const isKnown = Symbol('known')

/** A value that is chosen when the request is sent: one that an answer has shown until then. */
interface Known {
  [isKnown]: true
  name: string
  index: number
  schema: Schema
  /** The value if no answer has shown one. */
  otherwise: unknown
}

type Caller = 'admin' | 'read' | 'nobody'

/** A request whose known values are not chosen yet. */
export interface Plan {
  operation: Operation
  caller: Caller
  path: Record<string, unknown>
  query: Record<string, unknown>
  headers: Record<string, unknown>
  body: { json: unknown } | { text: string } | undefined
}

export interface FuzzRequest {
  method: Operation['method']
  url: string
  caller: Caller
  headers: Record<string, string>
  body?: string
}

const nastyTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../..',
  '%00',
  '%',
  "' or 1=1 --",
  '{}',
  'null',
  '\u202e',
  '😀',
  'a'.repeat(5_000),
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  '9007199254740993'
]
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...nastyTexts))
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(...nastyTexts, -1, 0, 1.5, 2 ** 53, 1e300, true, null, [], {}, [[]])
)
const years = { min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
const brokenBodies = [
  '',
  '{',
  'null',
  '[]',
  '{"__proto__":{}}',
  '{"a":1,"a":2}',
  '\u0000',
  '\ufeff{}',
  '['.repeat(3_000),
  '"\\ud800"'
]

/** Makes requests for all operations. Most of them fit the description, but not all. */
export function plansOf (operations: readonly Operation[]): Arbitrary<Plan> {
  return fc.oneof(...operations.map(planOf))
}

function planOf (operation: Operation): Arbitrary<Plan> {
  const { path, parameters, body } = operation
  return fc.record({
    operation: fc.constant(operation),
    caller: fc.oneof(
      { weight: 18, arbitrary: fc.constant<Caller>('admin') },
      { weight: 1, arbitrary: fc.constantFrom<Caller>('read', 'nobody') }
    ),
    path: membersOf(path, parameters.filter(parameter => parameter.in === 'path')),
    query: membersOf(path, parameters.filter(parameter => parameter.in === 'query')),
    headers: membersOf(path, parameters.filter(parameter => parameter.in === 'header')),
    body: bodyOf(path, body)
  })
}

function membersOf (path: string, parameters: readonly Parameter[]): Arbitrary<Record<string, unknown>> {
  const required = parameters.filter(parameter => parameter.required === true).map(({ name }) => name)
  return fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, valueOf(schema, name, path)])),
    { requiredKeys: required }
  )
}

function bodyOf (path: string, schema: Schema | undefined): Arbitrary<Plan['body']> {
  const broken = fc.constantFrom(...brokenBodies).map(text => ({ text }))
  if (schema === undefined) {
    return fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: broken })
  }
  return fc.oneof(
    { weight: 24, arbitrary: valueOf(schema, '', path).map(json => ({ json })) },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: fc.constant(undefined) }
  )
}

/** Makes values of a schema, seldom a wrong one. */
function valueOf (schema: Schema, member: string, path: string): Arbitrary<unknown> {
  const name = nameOf(member, path)
  const right = rightValueOf(schema, member, path)
  const known = fc.record<Known>({
    [isKnown]: fc.constant(true),
    name: fc.constant(name),
    index: fc.nat(20),
    schema: fc.constant(schema),
    otherwise: right
  })
  const isText = schema.type === 'string' && schema.enum === undefined && schema.const === undefined
  return fc.oneof(
    { weight: 10, arbitrary: right },
    { weight: 50, arbitrary: isText ? known : right },
    { weight: 1, arbitrary: anyValue }
  )
}

function rightValueOf (schema: Schema, member: string, path: string): Arbitrary<unknown> {
  const { const: only, enum: choices, anyOf } = schema
  if (only !== undefined) return fc.constant(only)
  if (choices !== undefined) return fc.constantFrom(...choices)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(choice => valueOf(choice, member, path)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema, path)
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, member.replace(/s$/, ''), path), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5)
      })
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000_000, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return anyValue
  }
}

function objectOf ({ properties = {}, required = [], additionalProperties }: Schema, path: string): Arbitrary<unknown> {
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, name, path)])),
    { requiredKeys: required.filter(name => Object.hasOwn(properties, name)) }
  )
  const more = additionalProperties === false
    ? fc.oneof({ weight: 20, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.dictionary(anyText, anyValue) })
    : fc.dictionary(fc.string(), anyValue, { maxKeys: 3 })
  return fc.tuple(more, known).map(([others, members]) => ({ ...others, ...members }))
}

function textOf ({ format, pattern, minLength = 0, maxLength = 50 }: Schema): Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return fc.date(years).map(date => date.toISOString())
  if (format === 'uri') return fc.webUrl()
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 50)) }
  return textMatching(pattern) ?? fc.string(bounds)
}

/** Returns undefined for patterns that fast-check cannot follow: those that look ahead. */
function textMatching (pattern: string | undefined): Arbitrary<string> | undefined {
  if (pattern === undefined) return undefined
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    return undefined
  }
}

/** Chooses the known values and makes the request. `sign` returns the headers that sign a body. */
export function requestOf (
  { operation, caller, path, query, headers, body }: Plan,
  known: KnownValues,
  sign: (body: string) => Record<string, string>
): FuzzRequest {
  const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => asPiece(choose(path[name], known)))
  const search = Object.entries(query).map(([name, value]) => `${name}=${asPiece(choose(value, known))}`).join('&')
  const given = Object.entries(headers)
    .map(([name, value]) => [name, asText(choose(value, known))] as const)
    .filter(([, value]) => /^[\x20-\x7e]+$/.test(value))
  const text = body === undefined ? undefined : 'text' in body ? body.text : JSON.stringify(choose(body.json, known))
  return {
    method: operation.method,
    url: search === '' ? address : `${address}?${search}`,
    caller,
    headers: {
      ...Object.fromEntries(given),
      ...(operation.path.startsWith('/webhooks/') && caller === 'admin' ? sign(text ?? '') : {}),
      ...(text === undefined ? {} : { 'content-type': 'application/json' })
    },
    ...(text === undefined ? {} : { body: text })
  }
}

const isKnownValue = (value: unknown): value is Known => typeof value === 'object' && value !== null && isKnown in value

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function fits (text: string, { format, pattern = '', maxLength = Number.POSITIVE_INFINITY }: Schema): boolean {
  return text.length <= maxLength && new RegExp(pattern, 'u').test(text) && (format !== 'uuid' || uuid.test(text))
}

function choose (value: unknown, known: KnownValues): unknown {
  if (isKnownValue(value)) {
    const { name, index, schema, otherwise } = value
    return known.pick(name, index, text => fits(text, schema)) ?? choose(otherwise, known)
  }
  if (Array.isArray(value)) return value.map(item => choose(item, known))
  if (typeof value !== 'object' || value === null) return value
  // Own members only: `__proto__` stays one.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, choose(member, known)]))
}

const asText = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value) ?? ''
const asPiece = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed())
