type Members = Readonly<Record<string, string>>

/** Lists by name. `entry` is the element name of one row. A list replaces the stored one. */
export type Associations = Readonly<Record<string, { entry: string, rows: readonly Members[] }>>

/**
 * Builds the body of a write: one record under its singular, which is never computed. The shop
 * parses every body as XML, whatever its content type says.
 */
export function recordXml (singular: string, members: Members, associations: Associations = {}): string {
  const lists = Object.entries(associations).map(([name, { entry, rows }]) =>
    element(name, rows.map(row => element(entry, membersXml(row))).join(''))
  )
  const content = membersXml(members) + (lists.length === 0 ? '' : element('associations', lists.join('')))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<shopa>${element(singular, content)}</shopa>`
}

// Write no blank and no line break around a value: the shop would store them as part of it.
function membersXml (members: Members): string {
  return Object.entries(members).map(([name, value]) => element(name, cdata(value))).join('')
}

function element (name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}

// The shop refuses a document with a character that XML 1.0 forbids. A lone surrogate is one, too.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

// Split `]]>` inside a value over two sections: it would end the section.
function cdata (value: string): string {
  return `<![CDATA[${value.replaceAll(forbidden, '').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}
