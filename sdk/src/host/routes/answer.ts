import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { validateHeaderValue } from 'node:http'
import { escapePointer } from '../pointer.ts'

const Answer = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  body: Type.Optional(Type.Unknown())
}, { additionalProperties: false })

/** An answer that may be sent; the body is JSON text. */
export interface SendableAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | undefined
}

const deepest = 64
const mostBytes = 10_485_760
const jsonType = /^application\/(?:[a-z0-9.-]+\+)?json(?:; ?charset=utf-8)?$/i
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

// An adapter may set only these headers. All others belong to the hub: those of the connection,
// cookies (one origin serves every adapter), CORS, and the frame around the documentation.
const permittedHeaders: ReadonlySet<string> = new Set([
  'cache-control',
  'content-disposition',
  'content-language',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'vary'
])

/**
 * Checks the answer of a route's handler and turns it into one that can be sent. Throws when it
 * breaks the contract, and names the member.
 */
export function readAnswer (answer: unknown, platformType: string): SendableAnswer {
  const problem = Value.Errors(Answer, answer).First()
  if (problem !== undefined) {
    throw new TypeError(`the route's answer must be { status, headers, body }: ${problem.path} ${problem.message}`)
  }
  const { status = 200, headers = {}, body } = answer as Static<typeof Answer>
  const text = body === undefined ? undefined : JSON.stringify(plain(body, '/body', deepest))
  if (text !== undefined && withoutBody.has(status)) {
    throw new TypeError(`the route's answer with status ${status} must not have a body`)
  }
  if (Buffer.byteLength(text ?? '') > mostBytes) {
    throw new RangeError(`the body of the route's answer has more than ${mostBytes} bytes`)
  }
  return {
    status,
    headers: Object
      .fromEntries(Object.entries(headers).map(([name, value]) => readHeader(name.toLowerCase(), value, platformType))),
    body: text
  }
}

function readHeader (name: string, value: string, platformType: string): [string, string] {
  if (!permittedHeaders.has(name) && !name.startsWith(`x-${platformType}-`)) {
    throw new TypeError(`the route's answer has the forbidden header '${name}'; permitted are ${
      [...permittedHeaders].join(', ')
    } and x-${platformType}-…`)
  }
  if (name === 'content-type' && !jsonType.test(value)) {
    throw new TypeError(`the route's answer has the content type '${value}', but its body must be JSON`)
  }
  validateHeaderValue(name, value)
  return [name, value]
}

/**
 * Returns the value when JSON can hold it without loss, else throws. JSON leaves out members that
 * are undefined.
 */
function plain (value: unknown, pointer: string, levels: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value !== 'object' || !isPlain(value)) {
    throw new TypeError(`${pointer} of the route's answer is not JSON: ${describe(value)}`)
  }
  if (levels === 0) {
    throw new RangeError(`${pointer} of the route's answer is nested deeper than ${deepest} levels`)
  }
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined || Array.isArray(value)) plain(member, `${pointer}/${escapePointer(name)}`, levels - 1)
  }
  return value
}

function isPlain (value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}

function describe (value: unknown): string {
  return typeof value === 'object' && value !== null
    ? value.constructor.name
    : typeof value === 'number'
    ? String(value)
    : typeof value
}
