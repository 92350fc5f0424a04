import { InvalidRequestError } from '../errors.ts'
import { refusal } from '../http/refusal.ts'
import { printable } from '../text-patterns.ts'

/** The browser returns only to pages of the console: anything else would be an open redirect. */
const folder = '/console/'
export const mostReturnCharacters = 500
const mostDetailCharacters = 1_000
const origin = 'http://hub.invalid'
const isPrintable = new RegExp(printable)

/** The result of an authorisation, for the page that the browser returns to. */
export type AuthorisationResult = { connectionId: string | undefined } | { error: string, detail?: string }

/**
 * Returns the page as a path with query and fragment. Throws a 400 that points to `/returnTo` when
 * it is no page of the console.
 */
export function readReturnPage (given: unknown): string {
  if (typeof given !== 'string') throw refuse('type', 'must be a text')
  if (given.length > mostReturnCharacters) {
    throw refuse('maxLength', `must have at most ${mostReturnCharacters} characters`)
  }
  const url = URL.parse(given, origin)
  // A browser reads '\' as '/', removes tabs and line ends, and takes '//' for another host.
  const isPage = given.startsWith(folder) && isPrintable.test(given) && !/\/\/|\\/.test(given) &&
    url?.origin === origin && url.pathname.startsWith(folder) && !/%(?:2f|5c)/i.test(url.pathname)
  if (!isPage) throw refuse('path', `must be a path below ${folder}, without // and \\`)
  return url.pathname + url.search + url.hash
}

/** Adds the result of an authorisation to the query of a page. */
export function withResult (page: string, result: AuthorisationResult): string {
  const url = new URL(page, origin)
  for (const name of ['connectionId', 'error', 'detail']) url.searchParams.delete(name)
  for (const [name, value] of Object.entries(result)) {
    if (value !== undefined) url.searchParams.set(name, value.slice(0, mostDetailCharacters))
  }
  return url.pathname + url.search + url.hash
}

function refuse (code: string, message: string): Error {
  return refusal([{ pointer: '/returnTo', code, message }], InvalidRequestError)
}
