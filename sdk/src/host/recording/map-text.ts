import type { Place } from './member-words.ts'

/** Returns the value to write in place of a named part of a text. */
export type ChangePart = (place: Place, value: string | number) => unknown

/** An XML element without elements in it: its name, attributes, and its text, plain or as CDATA. */
const element = /<([A-Za-z_][\w:.-]*)(\s[^<>]*)?>(?:([^<]*)|(\s*<!\[CDATA\[)([^<]*)(\]\]>\s*))<\/\1>/g
/** A member of JSON that stands in another text, or that has numbers JavaScript would change. */
const member = /"([^"\\\r\n]{1,200})"(\s*:\s*)(?:"([^"\\]*(?:\\.[^"\\]*)*)"|(-?\d[\d.eE+-]*))/g
/** An attribute of XML, or a parameter of a header. The look-behind keeps the search linear. */
const attribute = /(?<![\w:.-])([\w:.-]{1,200})(\s{0,9}=\s{0,9})(?:"([^"]*)"|'([^']*)')/g
/** A field of a form, or of the query of a URL. */
const field = /(^|[?&;#]\s?)([\w.~%:[\]-]{1,200})=([^\s&;#"'<>]*)/gm
/** A part of multipart with one line. */
const part = /(\bname="([^"\r\n]{1,200})"[^\r\n]{0,300}\r?\n(?:[^\r\n]{1,300}\r?\n){0,9}\r?\n)([^\r\n]+)/g

/** Changes the named values in a text that is not JSON as a whole. */
export function mapParts (text: string, change: ChangePart): string {
  return [mapMembers, mapElements, mapMultipart, mapAttributes, mapFields].reduce(
    (changed, map) => map(changed, change),
    text
  )
}

function mapMembers (text: string, change: ChangePart): string {
  if (!text.includes('":') && !text.includes('" :')) return text
  const siblings = namesIn(text, member, 1)
  return text.replace(
    member,
    (all: string, name: string, colon: string, escaped: string | undefined, digits: string | undefined) => {
      const value = digits === undefined ? unescaped(escaped ?? '') : numberOf(digits)
      const changed = change({ name, parent: '', siblings }, value)
      return changed === value ? all : `"${name}"${colon}${JSON.stringify(changed)}`
    }
  )
}

function unescaped (text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

function numberOf (digits: string): string | number {
  return String(Number(digits)) === digits ? Number(digits) : digits
}

function mapElements (text: string, change: ChangePart): string {
  if (!text.includes('</')) return text
  const siblings = namesIn(text, element, 1)
  return text.replace(
    element,
    (_all, name: string, attributes = '', plain: string | undefined, open = '', data = '', close = '') => {
      const content = String(change({ name, parent: '', siblings }, plain ?? data))
      return `<${name}${attributes}>${open}${content}${close}</${name}>`
    }
  )
}

function mapMultipart (text: string, change: ChangePart): string {
  if (!text.includes('name="')) return text
  const siblings = namesIn(text, part, 2)
  return text.replace(
    part,
    (_all, head: string, name: string, value: string) =>
      `${head}${String(change({ name, parent: '', siblings }, value))}`
  )
}

function mapAttributes (text: string, change: ChangePart): string {
  if (!text.includes('=')) return text
  const siblings = namesIn(text, attribute, 1)
  return text.replace(
    attribute,
    (all: string, name: string, equals: string, double: string | undefined, single: string | undefined) => {
      const value = double ?? single ?? ''
      const changed = change({ name, parent: '', siblings }, value)
      return changed === value ? all : `${name}${equals}"${String(changed).replaceAll('"', '&quot;')}"`
    }
  )
}

function mapFields (text: string, change: ChangePart): string {
  if (!text.includes('=')) return text
  const siblings = namesIn(text, field, 2).map(decoded)
  return text.replace(field, (all: string, before: string, name: string, value: string) => {
    const plain = decoded(value.replaceAll('+', ' '))
    const changed = change({ name: decoded(name), parent: '', siblings }, plain)
    return changed === plain ? all : `${before}${name}=${encoded(String(changed))}`
  })
}

/** Changes each segment of a path as it reads without its percent-encoding. */
export function mapSegments (path: string, change: (segment: string) => string): string {
  return path.split('/').map(segment => {
    const plain = decoded(segment)
    const changed = change(plain)
    return changed === plain ? segment : encoded(changed).replaceAll('/', '%2F')
  }).join('/')
}

function namesIn (text: string, form: RegExp, group: number): string[] {
  return [...new Set(Array.from(text.matchAll(form), match => match[group] ?? ''))]
}

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Encodes only what would end the value, so that placeholders stay readable. */
function encoded (text: string): string {
  return text.replace(/[%&;#+?"'<>\s]/g, encodeCharacter)
}

function encodeCharacter (character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
