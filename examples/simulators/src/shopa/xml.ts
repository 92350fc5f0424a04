import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'
import { webserviceError } from './errors.ts'

/** Children of an element by name; attributes start with `@`, `#cdata` is wrapped text. */
export interface XmlElement { [name: string]: XmlNode | XmlNode[] | undefined }
export type XmlNode = string | XmlElement

/** One record of a request body: members whose value is text. */
export type XmlRecord = Record<string, string>

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', cdataPropName: '#cdata', suppressEmptyNode: true })
// Line breaks inside a value are part of it, so nothing is trimmed: `<quantity>\n5</quantity>` is not a number.
const parser = new XMLParser({ ignoreAttributes: true, ignoreDeclaration: true, parseTagValue: false, trimValues: false })

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

/** The children of the root, whatever the root and the children are called. A body that is not XML is code 127. */
export function readRecords (body: unknown): XmlRecord[] {
  const text = typeof body === 'string' ? body.trim() : ''
  const problem = XMLValidator.validate(text)
  if (problem !== true) throw webserviceError(500, 127, `XML error : ${problem.err.msg}`)
  const roots = elements(parser.parse(text))
  if (roots.length !== 1) throw webserviceError(500, 127, 'XML error : a document has one root')
  return roots.flatMap(elements).map(child => Object.fromEntries(
    Object.entries(typeof child === 'object' && child !== null ? child : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  ))
}

function elements (node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).filter(([name]) => name !== '#text').flatMap(([, child]) => child)
}
