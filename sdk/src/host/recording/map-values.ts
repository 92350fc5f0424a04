import { escapePointer } from '../pointer.ts'
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
    path: String(change({ ...nowhere, pointer: `${pointer}/path`, value: path })),
    ...(query === undefined ? {} : { query: mapFields(query, `${pointer}/query`, change) }),
    ...(headers === undefined ? {} : { headers: mapTexts(headers, `${pointer}/headers`, change) }),
    ...(body === undefined ? {} : { body: mapJson(body, nowhere, `${pointer}/body`, change) }),
    ...(form === undefined ? {} : { form: mapFields(form, `${pointer}/form`, change) }),
    ...(text === undefined ? {} : { text: mapText(text, `${pointer}/text`, change) })
  }
}

function mapAnswer ({ headers, body, text, ...rest }: RecordedAnswer, change: ChangeValue): RecordedAnswer {
  return {
    ...rest,
    ...(headers === undefined ? {} : { headers: mapTexts(headers, '/answer/headers', change) }),
    ...(body === undefined ? {} : { body: mapJson(body, nowhere, '/answer/body', change) }),
    ...(text === undefined ? {} : { text: mapText(text, '/answer/text', change) })
  }
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
function mapJson (value: unknown, place: Place, pointer: string, change: ChangeValue): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => mapJson(item, place, `${pointer}/${index}`, change))
  }
  if (typeof value === 'object' && value !== null) {
    const siblings = Object.keys(value)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => {
      const below = `${pointer}/${escapePointer(name)}`
      const changed = String(change({ ...nowhere, pointer: below, value: name, isName: true }))
      return [changed, mapJson(member, { name, parent: place.name, siblings }, below, change)]
    }))
  }
  return isLeaf(value) ? change({ ...place, pointer, value }) : value
}

function isLeaf (value: unknown): value is Value['value'] {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** An XML element without elements in it: its name, attributes, and its text, plain or as CDATA. */
const element = /<([A-Za-z_][\w:.-]*)(\s[^<>]*)?>(?:([^<]*)|(\s*<!\[CDATA\[)([^<]*)(\]\]>\s*))<\/\1>/g

/** Changes the content of XML elements by their names, and then what is left as one text. */
function mapText (text: string, pointer: string, change: ChangeValue): string {
  const siblings = [...new Set(Array.from(text.matchAll(element), ([, name = '']) => name))]
  const changed = text.replace(
    element,
    (_all, name: string, attributes = '', plain: string | undefined, open = '', data = '', close = '') => {
      const content = String(change({ name, parent: '', siblings, pointer, value: plain ?? data }))
      return `<${name}${attributes}>${open}${content}${close}</${name}>`
    }
  )
  return String(change({ ...nowhere, pointer, value: changed }))
}
