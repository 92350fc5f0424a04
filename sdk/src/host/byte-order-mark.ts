/**
 * The text of a file without the mark that some editors put before it, which Node and npm take and
 * `JSON.parse` refuses.
 */
export function withoutByteOrderMark (text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
