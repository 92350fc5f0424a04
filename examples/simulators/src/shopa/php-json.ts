/**
 * PHP's `json_encode` with default flags of a value that `json_decode` made into arrays: no spaces,
 * `/` as `\/`, everything outside ASCII as lower-case `\uXXXX`, and an empty object as `[]`. Text
 * that is not valid Unicode gives no JSON at all.
 */
export function phpJsonEncode (value: unknown): string | undefined {
  const json = JSON.stringify(toPhpArrays(value))
  // JSON.stringify writes a lone surrogate as \udXXX; in the shop it would be invalid UTF-8, on
  // which json_encode returns false.
  if (/(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(json)) return undefined
  return json.replaceAll('/', '\\/').replaceAll(/[^\0-\x7f]/g, escapeCodeUnit)
}

function escapeCodeUnit (codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// A PHP array whose keys count from 0 is a list, so {} and {"0":"a"} come out as [] and ["a"].
function toPhpArrays (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPhpArrays)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [name, toPhpArrays(member)] as const)
  const isList = entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, member]) => member) : Object.fromEntries(entries)
}
