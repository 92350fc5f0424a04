import { Type, type StringOptions, type TString } from '@sinclair/typebox'

/** Makes the schema of a URL. The scheme is a regular expression. */
export function url (scheme: string, options: StringOptions): TString {
  return Type.String({ ...options, pattern: `^${scheme}://[^\\s]+$` })
}

/** Splits a list at its commas. */
export function itemsOf (list: string): string[] {
  return list.split(',').map(item => item.trim()).filter(item => item !== '')
}
