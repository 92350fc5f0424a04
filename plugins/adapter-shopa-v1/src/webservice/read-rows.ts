import { parseJson, TransientError } from '@linker/sdk'
import { XMLParser } from 'fast-xml-parser'
import { isRow, onlyMember, rowsIn, type Row } from './row.ts'

export interface ShopError {
  code: number
  message: string
}

/**
 * Reads the records of a list answer, or the record of a single answer. The adapter asks for JSON,
 * but also reads XML.
 */
export function readRows (body: string): Row[] {
  const document = readDocument(body)
  // The shop writes an empty list as `[]`, without the resource's name.
  if (Array.isArray(document) && document.length === 0) return []
  if (!isRow(document)) throw unexpected('neither a list nor a record')
  if (Object.hasOwn(document, 'errors')) throw unexpected('errors with a status of success')
  if (Object.keys(document).length === 0) return []

  const content = onlyMember(document)
  const rows = rowsIn(content)
  if (rows.length === 0 && !isEmpty(content)) throw unexpected('no records where records were expected')
  return rows
}

/**
 * Reads the errors of an answer. Returns `[]` when none can be read, as in an empty 404 or the HTML
 * page of a proxy.
 */
export function readErrors (body: string): ShopError[] {
  let document: unknown
  try {
    document = readDocument(body)
  } catch {
    return []
  }
  if (!isRow(document)) return []
  return rowsIn(document.errors).map(error => ({ code: Number(error.code), message: String(error.message ?? '') }))
}

// PHP writes its notices before an answer when the shop shows them, as HTML or as text. The answer
// after them is complete.
const notice = [
  /(?:<br \/>\s{0,9})?/,
  /(?:<b>)?(?:Notice|Warning|Deprecated)(?:<\/b>)?: /,
  /[^\n]{1,2000}? on line (?:<b>)?[0-9]+(?:<\/b>)?/,
  /(?:<br \/>)?\s{1,9}/
]
const notices = new RegExp(`^(?:${notice.map(({ source }) => source).join('')})+`)

function readDocument (body: string): unknown {
  const document = body.trimStart().replace(notices, '')
  if (document === '') throw unexpected('an empty body')
  try {
    return document.startsWith('<') ? readXml(document) : parseJson(document)
  } catch {
    // Give no cause: the parsers' errors quote the document.
    throw unexpected('a document that is neither JSON nor XML of the webservice')
  }
}

// Only the attribute `id` matters. With these names, <language id="1">Mug</language> reads like the
// JSON { id, value }.
const parser = new XMLParser({
  ignoreAttributes: name => name !== 'id',
  attributeNamePrefix: '',
  textNodeName: 'value',
  parseTagValue: false,
  ignoreDeclaration: true
})

function readXml (document: string): unknown {
  const parsed: unknown = parser.parse(document, true)
  if (!isRow(parsed) || Object.hasOwn(parsed, 'html')) throw new Error('an HTML page')
  const root = onlyMember(parsed)
  return root === '' ? [] : root
}

function isEmpty (content: unknown): boolean {
  return content === '' || content === null || (Array.isArray(content) && content.length === 0)
}

function unexpected (what: string): TransientError {
  return new TransientError(`the shop answered with ${what}`)
}
