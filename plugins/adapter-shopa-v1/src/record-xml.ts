type Members = Readonly<Record<string, string>>

/**
 * Lists by name; `entry` is what one of theirs is called. A list that is written replaces the
 * stored one.
 */
export type Associations = Readonly<Record<string, { entry: string, rows: readonly Members[] }>>

/**
 * The body of a write: one record under its singular, which is never computed. The shop parses
 * every body as XML, whatever its content type says.
 */
export function recordXml (singular: string, members: Members, associations: Associations = {}): string {
  const lists = Object.entries(associations).map(([name, { entry, rows }]) =>
    element(name, rows.map(row => element(entry, membersXml(row))).join(''))
  ).join('')
  const content = membersXml(members) + (lists === '' ? '' : element('associations', lists))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<shopa>${element(singular, content)}</shopa>`
}

// No blank and no line break around a value: the shop would take them for a part of it.
function membersXml (members: Members): string {
  return Object.entries(members).map(([name, value]) => element(name, cdata(value))).join('')
}

function element (name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}

// The end of a section inside a value would end it: it is split over two.
function cdata (value: string): string {
  return `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}
