import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import { webserviceError } from './errors.ts'

/** Children of an element by name; attributes start with `@`, `#cdata` is wrapped text. */
export interface XmlElement {
  [name: string]: XmlNode | XmlNode[] | undefined
}
export type XmlNode = string | XmlElement

/** One record of a request body. */
export interface XmlRecord {
  /** Members whose value is text; without `id`. */
  texts: Record<string, string>
  /** Members that carry one text for each language id. */
  localised: Record<string, Record<number, string>>
  associations: Record<string, Array<Record<string, string>>>
  id?: string
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  suppressEmptyNode: true
})
// Line breaks inside a value are part of it, so nothing is trimmed: `<quantity>\n5</quantity>` is
// not a number.
const parser = new XMLParser({
  ignoreAttributes: name => name !== 'id',
  attributeNamePrefix: '@',
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false
})

export function cdata (value: string): XmlElement {
  return { '#cdata': value }
}

/** The document with `content` under the root. The root's name is free for readers. */
export function writeXml (content: XmlElement): string {
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    shopa: { '@xmlns:xlink': 'http://www.w3.org/1999/xlink', ...content }
  })
}

/**
 * The children of the root, whatever the root and the children are called. A body that is not XML
 * is code 127.
 */
export function readRecords (body: unknown): XmlRecord[] {
  const text = typeof body === 'string' ? body.trim() : ''
  const problem = XMLValidator.validate(text)
  if (problem !== true) throw webserviceError(500, 127, `XML error : ${problem.err.msg}`)
  const roots = children(parser.parse(text)).flatMap(([, root]) => root)
  if (roots.length !== 1) throw webserviceError(500, 127, 'XML error : a document has one root')
  return roots.flatMap(root => children(root).flatMap(([, child]) => child)).map(toRecord)
}

function toRecord (element: unknown): XmlRecord {
  const record: XmlRecord = { texts: {}, localised: {}, associations: {} }
  for (const [name, value] of children(element)) {
    if (name === 'id') record.id = textOf(value)
    else if (name === 'associations') {
      record.associations = Object.fromEntries(children(value).map(([list, entries]) => [list, toEntries(entries)]))
    } else if (isElement(value) && value.language !== undefined) record.localised[name] = toTexts(value.language)
    else if (typeof value === 'string') record.texts[name] = value
  }
  return record
}

function toEntries (list: unknown): Array<Record<string, string>> {
  return children(list).flatMap(([, entries]) => entries).map(entry =>
    Object.fromEntries(children(entry).map(([name, value]) => [name, textOf(value)]))
  )
}

function toTexts (languages: unknown): Record<number, string> {
  return Object
    .fromEntries([languages].flat().map(
      language => [isElement(language) ? Number(language['@id']) : 0, textOf(language)]
    ))
}

function textOf (node: unknown): string {
  if (isElement(node)) return textOf(node['#text'] ?? '')
  return typeof node === 'string' ? node : ''
}

/** The child elements by name; a repeated element is one entry with an array. */
function children (node: unknown): Array<[string, unknown]> {
  return isElement(node) ? Object.entries(node).filter(([name]) => name !== '#text' && !name.startsWith('@')) : []
}

function isElement (node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}
