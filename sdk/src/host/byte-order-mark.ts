/**
 * Removes the byte order mark that some editors put at the start of a file: Node and npm accept it,
 * `JSON.parse` refuses it.
 */
export function withoutByteOrderMark (text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
