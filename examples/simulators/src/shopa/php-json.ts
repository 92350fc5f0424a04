/**
 * Encodes a value like PHP's `json_encode` with default flags, after `json_decode` has made its
 * objects arrays: no spaces, `/` as `\/`, non-ASCII as lower-case `\uXXXX`, an empty object as
 * `[]`. Returns undefined for text that is not valid Unicode.
 */
export function phpJsonEncode (value: unknown): string | undefined {
  const json = JSON.stringify(toPhpArrays(value))
  // JSON.stringify writes a lone surrogate as \udXXX. In the shop it would be invalid UTF-8, for
  // which json_encode returns false.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json)) return undefined
  return json.replaceAll('/', '\\/').replaceAll(/[^\0-\x7f]/g, escapeCodeUnit)
}

function escapeCodeUnit (codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// PHP writes an array whose keys count from 0 as a list: {} and {"0":"a"} become [] and ["a"].
function toPhpArrays (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPhpArrays)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [name, toPhpArrays(member)] as const)
  const isList = entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}
