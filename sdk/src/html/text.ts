/**
 * Escapes text for HTML. Keeps complete references and escapes every other `&`. White space becomes
 * one space.
 */
export function escapeHtmlText (raw: string): string {
  return raw
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\0-\x08\v\x0e-\x1f\x7f-\x9f]/g, '')
    .replaceAll(
      /&(?:#x([0-9a-f]{1,6});|#([0-9]{1,7});|(?![a-z][a-z0-9]*;))/gi,
      (_reference, hexadecimal?: string, decimal?: string) => {
        if (hexadecimal === undefined && decimal === undefined) return '&amp;'
        return characterOf(hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16))
      }
    )
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // Last: a removed character or a reference may leave two spaces side by side.
    .replaceAll(/[\t\n\f\r ]+/g, ' ')
}

const windows1252 = new TextDecoder('windows-1252')

function characterOf (code: number): string {
  // HTML reads 128 to 159 as Windows-1252: old editors wrote dashes and quotes as these codes.
  if (code >= 0x80 && code < 0xa0) return windows1252.decode(Uint8Array.of(code)).replaceAll(/[\x80-\x9f]/g, '')
  if (code < 0x20 || code === 0x7f || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    return code === 9 || code === 10 || code === 13 ? ' ' : ''
  }
  return code === 0x26 ? '&amp;' : String.fromCodePoint(code)
}
