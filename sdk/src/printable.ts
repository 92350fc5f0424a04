/**
 * Characters that a terminal obeys instead of showing, and characters that change the reading
 * direction: C0 and C1 control characters, DEL, line and paragraph separators, bidirectional
 * controls and the byte order mark.
 */
const unprintable = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff'

/** The pattern of a JSON Schema for text that may be shown anywhere as it is. */
export const printablePattern = `^[^${unprintable}]*$`

const everyUnprintable = new RegExp(`[${unprintable}]`, 'g')
const shortForms: ReadonlyMap<string, string> = new Map([['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t']])

/**
 * Escapes a text to one line without characters that a terminal would obey: `\u001b[2J` stands for
 * the sequence that clears a screen. Every text of an adapter or a platform passes through this
 * function on its way to a terminal.
 */
export function escapeUnprintable (text: string): string {
  return text.replaceAll(
    everyUnprintable,
    character => shortForms.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
