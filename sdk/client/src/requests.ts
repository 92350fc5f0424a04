import type { Method, Query } from './operations.ts'

/** The part of `fetch` that the client uses. */
export type Fetch<Answer extends FetchAnswer = Response> = (url: string, request: FetchRequest) => Promise<Answer>

export interface FetchRequest {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export interface FetchAnswer {
  status: number
  headers: { get(name: string): string | null }
  text(): Promise<string>
}

/** A request of any operation. */
export interface AnyRequest {
  path?: Readonly<Record<string, string>> | undefined
  query?: Query | URLSearchParams | undefined
  body?: unknown
  idempotencyKey?: string | undefined
  ifMatch?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  signal?: AbortSignal | undefined
}

/** Writes the parameters into the path of an operation, such as `/jobs/{id}`. */
export function addressOf (path: string, { path: parameters = {}, query = {} }: AnyRequest): string {
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = parameters[name]
    // An empty piece of a path is another operation, such as the list instead of its entry.
    if (value === undefined || value === '') throw new TypeError(`'${name}' is missing for ${path}`)
    return encodeURIComponent(value)
  })
  const search = searchOf(query)
  return search === '' ? filled : `${filled}?${search}`
}

/** A parameter that is undefined is not sent. */
function searchOf (query: Query | URLSearchParams): string {
  if (query instanceof URLSearchParams) return query.toString()
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value))
  return search.toString()
}

export function toFetchRequest (
  method: Method,
  token: string | undefined,
  { body, idempotencyKey, ifMatch, headers, signal }: AnyRequest
): FetchRequest {
  const named = {
    'authorization': token === undefined ? undefined : `Bearer ${token.trim()}`,
    'content-type': body === undefined ? undefined : 'application/json',
    'idempotency-key': idempotencyKey,
    'if-match': ifMatch,
    ...headers
  }
  const given = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    method: method.toUpperCase(),
    headers: Object.fromEntries(given),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal })
  }
}

/** The query of the next page, which the header `Link` names. */
export function nextPage (link: string | null): URLSearchParams | undefined {
  const [, address] = /<([^>]+)>; *rel="?next"?/.exec(link ?? '') ?? []
  // Take only the query: a proxy may have put a path before the hub's own.
  return address === undefined ? undefined : new URL(address, 'http://hub').searchParams
}
