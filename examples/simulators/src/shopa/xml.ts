import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import { WebserviceError } from './errors.ts'

/** The children of an element by name. Attributes start with `@`, and `#cdata` is wrapped text. */
export interface XmlElement {
  [name: string]: XmlNode | XmlNode[] | undefined
}
export type XmlNode = string | XmlElement

/** One record of a request body. */
export interface XmlRecord {
  /** Members whose value is text, without `id`. */
  texts: Record<string, string>
  /** Members that have one text for each language id. */
  localised: Record<string, Record<number, string>>
  associations: Record<string, Array<Record<string, string>>>
  id?: string
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false
})
// Do not trim: a line break inside a value is part of it, and `<quantity>\n5</quantity>` is not a
// number.
const parser = new XMLParser({
  ignoreAttributes: name => name !== 'id',
  attributeNamePrefix: '@',
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false
})

// A lone surrogate counts as one: it is no character of a UTF-8 text.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u

export function cdata (value: string): XmlElement {
  return { '#cdata': value }
}

/** Writes a document with `content` below the root. Readers accept any name of the root. */
export function writeXml (content: XmlElement): string {
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    shopa: { '@xmlns:xlink': 'http://www.w3.org/1999/xlink', ...content }
  })
}

/**
 * Reads the children of the root as records, under any names. Throws code 127 for a body that is
 * not XML.
 */
export function readRecords (body: unknown): XmlRecord[] {
  const text = typeof body === 'string' ? body.trim() : ''
  if (forbidden.test(text) || XMLValidator.validate(text) !== true) throw notWellFormed(text)
  const roots = children(parser.parse(text)).flatMap(([, root]) => root)
  if (roots.length !== 1) throw notWellFormed(text)
  return roots.flatMap(root => children(root).flatMap(([, child]) => child)).map(toRecord)
}

/** Makes the refusal, in which the warnings of PHP come first and the whole document follows. */
function notWellFormed (document: string): WebserviceError {
  const parser = '[PHP Warning #2] SimpleXMLElement::__construct()'
  return new WebserviceError(500, [
    { code: 3, message: `${parser}: Entity: line 1: parser error : Document is not well-formed` },
    { code: 3, message: `${parser}: ${document.slice(0, 80)}` },
    { code: 3, message: `${parser}: ^` },
    {
      code: 127,
      message: 'XML error : String could not be parsed as XML\r\n' +
        `XML length : ${document.length}\nOriginal XML : ${document}`
    }
  ])
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
  const idOf = (language: unknown): number => isElement(language) ? Number(language['@id']) : 0
  return Object.fromEntries([languages].flat().map(language => [idOf(language), textOf(language)]))
}

function textOf (node: unknown): string {
  if (isElement(node)) return textOf(node['#text'] ?? '')
  return typeof node === 'string' ? node : ''
}

/** Returns the child elements by name. A repeated element is one entry with an array. */
function children (node: unknown): Array<[string, unknown]> {
  return isElement(node) ? Object.entries(node).filter(([name]) => name !== '#text' && !name.startsWith('@')) : []
}

function isElement (node: unknown): node is Record<string, unknown> {
  return typeof node === 'object' && node !== null && !Array.isArray(node)
}
