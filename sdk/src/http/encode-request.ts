import { ConfigurationError } from '../errors.ts'
import type { HttpClientOptions, HttpRequest } from './http.ts'

/** Options whose token is known. */
export interface ResolvedOptions extends HttpClientOptions {
  auth?: Exclude<HttpClientOptions['auth'], undefined | { type: 'bearer' }> | { type: 'bearer', token: string }
}

// The HTTP client sets these headers: they decide where a request ends, which host gets it and
// whether its answer is readable.
const reservedHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding'
])

/**
 * Returns the headers and the body to send. Lower-cases the names, so that a header given twice in
 * different case is one header.
 */
export function encodeRequest (
  request: HttpRequest,
  options: ResolvedOptions,
  { userAgent, requestId }: { userAgent: string, requestId: string | undefined }
): { headers: Record<string, string>, body: string | Uint8Array | undefined } {
  const { type, body } = encodeBody(request.body)
  const { 'content-type': clientType, ...always } = lowerCased(options.headers)
  const ofBody = body === undefined || clientType === undefined ? {} : { 'content-type': clientType }
  const own = { ...always, ...ofBody, ...lowerCased(request.headers) }
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(options.auth === undefined ? {} : { authorization: authorizationOf(options.auth) }),
    ...own,
    // Without it the server may choose any coding (RFC 9110, section 12.5.3), and a small answer
    // could unpack to a large one.
    'accept-encoding': 'identity',
    ...(requestId === undefined ? {} : { 'x-request-id': requestId })
  }
  return { headers, body }
}

function encodeBody (body: HttpRequest['body']): { type?: string, body: string | Uint8Array | undefined } {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return { body }
  if (body instanceof URLSearchParams) return { type: 'application/x-www-form-urlencoded', body: body.toString() }
  return { type: 'application/json', body: JSON.stringify(body) }
}

function lowerCased (headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase()
    if (reservedHeaders.has(lower)) {
      throw new ConfigurationError(`the header '${lower}' is set by the HTTP client and cannot be given`)
    }
    return [lower, value]
  }))
}

function authorizationOf (auth: NonNullable<ResolvedOptions['auth']>): string {
  return auth.type === 'bearer' ? `Bearer ${auth.token}` : `Basic ${basicOf(auth.username, auth.password)}`
}

function basicOf (username: string, password: string): string {
  return Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
}

const secretName = /auth|cookie|key|token|secret|password|signature/i
const shortestQuerySecret = 8

/**
 * Returns every value of a request that messages must not show, because the platform may echo it.
 */
export function secretsOf (
  { headers, query }: Pick<HttpRequest, 'headers' | 'query'>,
  options: ResolvedOptions
): string[] {
  const ofQuery = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map(item => ({ name, text: String(item) })))
    .filter(({ name, text }) => secretName.test(name) || text.length >= shortestQuerySecret)
    .map(({ text }) => text)
  return [...headerSecretsOf({ headers }, options), ...ofQuery]
}

/** Returns the authorisation of a request and the values of headers with the name of a secret. */
export function headerSecretsOf ({ headers }: Pick<HttpRequest, 'headers'>, options: ResolvedOptions): string[] {
  const ofHeaders = Object.entries({ ...options.headers, ...headers })
    .filter(([name]) => secretName.test(name))
    .map(([, value]) => value)
  return [...secretsOfAuth(options.auth), ...ofHeaders]
}

function secretsOfAuth (auth: ResolvedOptions['auth']): string[] {
  if (auth === undefined) return []
  if (auth.type === 'bearer') return [auth.token]
  return [auth.username, auth.password, basicOf(auth.username, auth.password)]
}
