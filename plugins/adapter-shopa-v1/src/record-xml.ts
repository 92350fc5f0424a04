/** The body of a write: one record under its singular, which is never computed. The shop parses every body as XML, whatever its content type says. */
export function recordXml (singular: string, members: Readonly<Record<string, string>>): string {
  // No blank and no line break around a value: the shop would take them for a part of it.
  const content = Object.entries(members).map(([name, value]) => `<${name}>${cdata(value)}</${name}>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<shopa><${singular}>${content}</${singular}></shopa>`
}

// The end of a section inside a value would end it: it is split over two.
function cdata (value: string): string {
  return `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}
