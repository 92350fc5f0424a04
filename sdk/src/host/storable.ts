import type { ListOptions } from '../context.ts'
import type { CheckedListOptions } from './services.ts'
import { fits } from './size.ts'
import { isStorableText } from './storable-text.ts'

const mostNameLength = 200
const mostJobKeyLength = 1_000
const mostPositionLength = 65_536
const mostValueBytes = 65_536
/** The most bytes of all values of one connection together, keys and rows included. */
export const mostConnectionBytes = 32 * 1024 * 1024
const rowBytes = 100
const mostObjectBytes = 262_144
const mostGivenValues = 100
const mostTtlSeconds = 10 * 365 * 86_400
const mostListed = 1_000
const labelPattern = /^[A-Za-z0-9]{1,32}$/
const mostDelayMs = 86_400_000

// Check in the adapter's call: its author sees the sentence, and a value that a database would
// refuse cannot fail the end of a whole job.

export function checkedName (name: string): string {
  if (name === '__proto__') throw new RangeError('__proto__ cannot be a name')
  return checkedText(name, 'a name', mostNameLength)
}

export function checkedJobKey (key: string): string {
  return checkedText(key, 'the key of a job', mostJobKeyLength)
}

export function checkedPosition (position: string): string {
  return checkedText(position, 'a position', mostPositionLength, 0)
}

/** Returns undefined when there is none. */
export function checkedDelay (delayMs: number | undefined): number | undefined {
  if (delayMs !== undefined && !(Number.isInteger(delayMs) && delayMs >= 0 && delayMs <= mostDelayMs)) {
    throw new RangeError(`delayMs must be a whole number from 0 to ${mostDelayMs}`)
  }
  return delayMs
}

export function checkedList ({ prefix, after, limit = 100, order = 'ascending' }: ListOptions): CheckedListOptions {
  checkedText(prefix, 'prefix', mostNameLength, 0)
  if (after !== undefined) checkedText(after, 'after', mostNameLength, 0)
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostListed)) {
    throw new RangeError(`limit must be a whole number from 1 to ${mostListed}`)
  }
  // An adapter in JavaScript may pass any value.
  if (!['ascending', 'descending'].includes(order)) throw new RangeError('order must be ascending or descending')
  return { prefix, limit, order, after }
}

function checkedText (text: unknown, what: string, longest: number, shortest = 1): string {
  if (typeof text !== 'string' || text.length < shortest || text.length > longest) {
    throw new RangeError(`${what} must be a text of ${shortest} to ${longest} characters`)
  }
  if (!isStorableText(text)) {
    throw new RangeError(`${what} holds a NUL character or half of a surrogate pair`)
  }
  return text
}

/**
 * Returns the value as a later read returns it: passed through JSON, in whatever thread the adapter
 * runs.
 */
export function checkedValue (value: unknown): unknown {
  return checkedJson(value, 'a value', 'a value must be JSON data; delete() removes one')
}

/** The bytes that a value counts; `json` is its stored form. */
export function valueBytes (key: string, json: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(json) + rowBytes
}

export function checkedValues (values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (Object.keys(values).length > mostGivenValues) {
    throw new RangeError(`a new connection takes at most ${mostGivenValues} values`)
  }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [checkedName(key), checkedValue(value)]))
}

export function checkedFlowData (data: unknown, what: string): unknown {
  return checkedJson(data, what, `${what} must be JSON data`)
}

function checkedJson (value: unknown, what: string, refusal: string): unknown {
  const json = toJson(value, refusal)
  if (Buffer.byteLength(json) > mostValueBytes) {
    throw new RangeError(`${what} has at most ${mostValueBytes} bytes as JSON`)
  }
  return JSON.parse(json)
}

export function checkedCredentials (credentials: unknown): unknown {
  const checked: unknown = JSON.parse(toJson(credentials, 'credentials must be JSON data'))
  if (!fits(checked, mostObjectBytes)) throw new RangeError(`credentials have at most ${mostObjectBytes} bytes as JSON`)
  return checked
}

/** Whether a text may be the label in a `credentialsRef`. */
export function isLabel (text: string): boolean {
  return labelPattern.test(text)
}

/** Returns undefined when there is none. */
export function checkedLabel (label: string | undefined): string | undefined {
  if (label !== undefined && !isLabel(label)) {
    throw new RangeError('credentialsLabel must have 1 to 32 letters and digits')
  }
  return label
}

export function checkedConnectionKey (key: string): string {
  return checkedText(key, 'the key of a connection', mostJobKeyLength)
}

export function checkedPayload (payload: object): Record<string, unknown> {
  return checkedObject(payload, 'a payload')
}

export function checkedConfig (config: object): Record<string, unknown> {
  return checkedObject(config, 'a config')
}

function checkedObject (value: object, what: string): Record<string, unknown> {
  const read: unknown = JSON.parse(toJson(value, `${what} must be JSON data`))
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new TypeError(`${what} must be an object`)
  if (!fits(read, mostObjectBytes)) throw new RangeError(`${what} has at most ${mostObjectBytes} bytes as JSON`)
  return Object.fromEntries(Object.entries(read))
}

export function checkedTtl (ttlSeconds: number | undefined): number | undefined {
  return ttlSeconds === undefined ? undefined : checkedLifetime(ttlSeconds)
}

export function checkedLifetime (ttlSeconds: number): number {
  if (!(ttlSeconds > 0 && ttlSeconds <= mostTtlSeconds)) {
    throw new RangeError('ttlSeconds must be more than 0 and at most ten years')
  }
  return ttlSeconds
}

function toJson (value: unknown, refusal: string): string {
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) throw new TypeError(refusal)
  // JSON.stringify writes exactly these two as escapes; a backslash of the data appears twice.
  if (/\\u(?:0000|d[89a-f])/.test(json.replaceAll('\\\\', ''))) {
    throw new TypeError('a text in it holds a NUL character or half of a surrogate pair')
  }
  return json
}
