import { ConfigurationError } from '../errors.ts'
import type { HttpRequest } from './http.ts'

/**
 * Parses the base URL of a connection. Accepts only http and https; refuses credentials, query and
 * fragment.
 */
export function parseBaseUrl (text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new ConfigurationError('the base URL is not an absolute URL')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigurationError(`a base URL starts with https:// or http://, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError('a base URL carries no credentials; they belong to the credentials of the connection')
  }
  if (/[?#]/.test(text)) throw new ConfigurationError('a base URL has no query and no fragment')
  return url
}

/**
 * Joins `path` and `query` below `base`. Throws a `ConfigurationError` for a path that could reach
 * another origin or leave the base path.
 */
export function joinUrl (base: URL, path: string, query: HttpRequest['query'] = {}): URL {
  const relative = path.replace(/^\/+/, '')
  assertStaysBelow(relative)
  const prefix = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
  const url = new URL(base.origin + (relative === '' ? base.pathname : prefix + relative))
  if (url.origin !== base.origin || !(url.pathname === base.pathname || url.pathname.startsWith(prefix))) {
    throw new ConfigurationError('the request path leaves the base URL')
  }
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item))
  }
  return url
}

const absoluteUrl = /^[a-z][a-z0-9+.-]*:\//i
// The URL parser drops tabs and line ends, so `.\t.` would become a dot segment after the check.
const unsafeCharacter = /[\\?# \p{Cc}]/u
const dotSegment = /(^|[/\\])\.{1,2}($|[/\\;])/

function assertStaysBelow (relative: string): void {
  if (absoluteUrl.test(relative)) {
    throw new ConfigurationError('a request path is relative to the base URL, not an absolute URL')
  }
  if (unsafeCharacter.test(relative)) {
    const forbidden = "'?', '#', a backslash, a blank or a control character"
    const remedy = 'give a query as `query`, and encode ids with encodeURIComponent'
    throw new ConfigurationError(`a request path must not contain ${forbidden}: ${remedy}`)
  }
  // Decode as proxies do before they route: `..%2Fadmin` would leave the base path although the URL
  // parser sees one segment.
  const decoded = relative.replace(/%(?:2e|2f|5c)/gi, code => decodeURIComponent(code))
  if (dotSegment.test(decoded)) {
    throw new ConfigurationError("a request path has no '.' or '..' segment, encoded or not")
  }
}
