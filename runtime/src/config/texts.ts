import { Type, type StringOptions, type TString } from '@sinclair/typebox'

/** Makes the schema of a URL. The scheme is a regular expression. */
export function url (scheme: string, options: StringOptions): TString {
  return Type.String({ ...options, pattern: `^${scheme}://[^\\s]+$`, format: 'readable-url' })
}

export const unreadableUrl = 'is no URL that can be read: characters such as / ? # % and @ in a user name or a ' +
  'password must be percent-encoded, # as %23'

/**
 * Whether a text is a URL, as far as its password allows to tell: after a number, an unencoded `#`
 * or `/` makes the user name the host, and the password its port.
 */
export function isReadableUrl (text: string): boolean {
  // It has several hosts: `readSentinelUrl` reads it.
  if (/^rediss?\+sentinel:/.test(text)) return true
  const { protocol = '', username = '', password = '', pathname = '', hash = '' } = URL.parse(text) ?? {}
  const isWeb = protocol.startsWith('http')
  const isCut = hash.includes('@') || (!isWeb && username + password === '' && pathname.includes('@'))
  return protocol !== '' && !isCut && !/%(?![\da-f]{2})/i.test(username + password)
}

/** Splits a list at its commas. */
export function itemsOf (list: string): string[] {
  return list.split(',').map(item => item.trim()).filter(item => item !== '')
}
