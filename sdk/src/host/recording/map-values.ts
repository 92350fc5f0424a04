import { escapePointer } from '../pointer.ts'
import { mapParts, mapSegments } from './map-text.ts'
import type { Place } from './member-words.ts'
import type { RecordedAnswer, RecordedExchange, RecordedRequest } from './recording.ts'

/** One text, number or truth value of an exchange. */
export interface Value extends Place {
  /** A JSON pointer into the exchange, such as `/answer/body/0/email`. */
  pointer: string
  value: string | number | boolean
  /** The value is the name of the member to which the pointer leads. */
  isName?: true
}

/** Returns the value to write in place of another one. */
export type ChangeValue = (value: Value) => unknown

/** Copies an exchange and changes each of its values. */
export function mapExchange (
  { request, answer, ...rest }: RecordedExchange,
  change: ChangeValue
): RecordedExchange {
  return {
    request: mapRequest(request, '/request', change),
    ...(answer === undefined ? {} : { answer: mapAnswer(answer, change) }),
    ...rest
  }
}

export function mapRequest (request: RecordedRequest, pointer: string, change: ChangeValue): RecordedRequest {
  const { path, query, headers, body, form, text } = request
  return {
    ...request,
    path: mapPath(path, `${pointer}/path`, change),
    ...(query === undefined ? {} : { query: mapFields(query, `${pointer}/query`, change) }),
    ...(headers === undefined ? {} : { headers: mapTexts(headers, `${pointer}/headers`, change) }),
    ...(body === undefined ? {} : { body: mapJson(body, nowhere, `${pointer}/body`, change) }),
    ...(form === undefined ? {} : { form: mapFields(form, `${pointer}/form`, change) }),
    ...(text === undefined ? {} : { text: String(mapText(text, nowhere, `${pointer}/text`, change)) })
  }
}

function mapAnswer ({ headers, body, text, ...rest }: RecordedAnswer, change: ChangeValue): RecordedAnswer {
  return {
    ...rest,
    ...(headers === undefined ? {} : { headers: mapTexts(headers, '/answer/headers', change) }),
    ...(body === undefined ? {} : { body: mapJson(body, nowhere, '/answer/body', change) }),
    ...(text === undefined ? {} : { text: String(mapText(text, nowhere, '/answer/text', change)) })
  }
}

function mapPath (path: string, pointer: string, change: ChangeValue): string {
  const changed = mapSegments(path, segment => String(mapText(segment, nowhere, pointer, change)))
  return String(change({ ...nowhere, pointer, value: changed }))
}

const nowhere: Place = { name: '', parent: '', siblings: [] }

type Fields = NonNullable<RecordedRequest['query']>

function mapFields (fields: Fields, pointer: string, change: ChangeValue): Fields {
  return mapJson(fields, nowhere, pointer, change) as Fields
}

function mapTexts (texts: Record<string, string>, pointer: string, change: ChangeValue): Record<string, string> {
  return mapJson(texts, nowhere, pointer, change) as Record<string, string>
}

/** Changes the values of JSON. The names of its members are values without a name of their own. */
function mapJson (value: unknown, place: Place, pointer: string, change: ChangeValue, depth = 0): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => mapJson(item, place, `${pointer}/${index}`, change, depth))
  }
  if (typeof value === 'object' && value !== null) {
    const siblings = Object.keys(value)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => {
      const below = `${pointer}/${escapePointer(name)}`
      const changed = String(change({ ...nowhere, pointer: below, value: name, isName: true }))
      return [changed, mapJson(member, { name, parent: place.name, siblings }, below, change, depth)]
    }))
  }
  if (typeof value === 'string') return mapText(value, place, pointer, change, depth)
  return isLeaf(value) ? change({ ...place, pointer, value }) : value
}

function isLeaf (value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean'
}

/** JSON in JSON in JSON. A text deeper inside is one value. */
const deepestText = 3

/** Changes the named values in a text, and then what is left as one text. */
function mapText (text: string, place: Place, pointer: string, change: ChangeValue, depth = 0): unknown {
  if (depth === deepestText) return change({ ...place, pointer, value: text })
  const changePart = (name: Place, value: string | number): unknown =>
    typeof value === 'string'
      ? mapText(value, name, pointer, change, depth + 1)
      : change({ ...name, pointer, value })
  const changed = mapJsonText(text, pointer, change, depth) ?? mapParts(text, changePart)
  return change({ ...place, pointer, value: changed })
}

/** Undefined for a text that is no JSON, or has numbers that JavaScript would change. */
function mapJsonText (text: string, pointer: string, change: ChangeValue, depth: number): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const read = jsonOrText(text)
  if (!('body' in read)) return undefined
  const changed = JSON.stringify(mapJson(read.body, nowhere, pointer, change, depth + 1))
  return changed === JSON.stringify(read.body) ? text : changed
}

/** Reads JSON, unless it has numbers that JavaScript would change. */
export function jsonOrText (text: string, isJson = false): { body: unknown } | { text: string } {
  try {
    const body: unknown = JSON.parse(text, (_name, value: unknown) => {
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError('too long a number')
      return value
    })
    // A bare word or number may be a text that happens to be JSON.
    return isJson || typeof body === 'object' ? { body } : { text }
  } catch {
    return { text }
  }
}
