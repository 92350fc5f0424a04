type Encoding = 'hex' | 'base64' | 'base64url'

/**
 * Decodes a text of one form only, and returns undefined for every other: `Buffer.from` skips what
 * it does not know, so that many texts would mean the same bytes.
 */
export function decode (text: string, encoding: Encoding): Buffer | undefined {
  if (encoding === 'hex') return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined
  const digits = text.replace(/={1,2}$/, '')
  const bytes = Buffer.from(digits, encoding)
  return bytes.length > 0 && bytes.toString(encoding).replace(/={1,2}$/, '') === digits ? bytes : undefined
}
