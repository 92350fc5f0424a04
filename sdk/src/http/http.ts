import type { AdapterError } from '../errors.ts'

/**
 * Makes a client for one base URL. The runtime adds the address policy, redaction, the request id
 * and the deadline of the current call.
 */
export type HttpClientFactory = (options: HttpClientOptions) => HttpClient

export interface HttpClientOptions {
  /**
   * Absolute http(s) URL without credentials, query or fragment. Its path is kept as a prefix; no
   * request path can leave it.
   */
  baseUrl: string
  /**
   * Sent with every request, never logged, never across a redirect (redirects are not followed).
   */
  auth?: { type: 'basic', username: string, password: string } | { type: 'bearer', token: string }
  /** Sent with every request; a request's own headers win. */
  headers?: Record<string, string>
  /** Time for one attempt, connection and whole body included. Default 30 000 ms. */
  timeoutMs?: number
  /**
   * How often a request that may be repeated is sent again inside one call, for a network failure,
   * 429, 502, 503 or 504. Default 2.
   */
  retries?: number
  /** Longest answer accepted, in bytes. Default 10 MiB. A longer one is a `RejectedError`. */
  maxResponseBytes?: number
  /**
   * Asked first for every answer that is not accepted. An error it returns is thrown as it is,
   * without a repeat; `undefined` leaves the answer to the default classification by status and,
   * where that is safe, to a repeat.
   */
  classify?: (response: HttpResponse) => AdapterError | undefined
}

export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Joined below the base URL; leading slashes do not matter. Encode the ids in it with
   * `encodeURIComponent`. It stands in messages and traces: a secret belongs in a header.
   */
  path: string
  /** `undefined` members are left out, arrays repeat the name. Never in a message or a trace. */
  query?: Record<string, string | number | boolean | undefined | readonly (string | number)[]>
  headers?: Record<string, string>
  /**
   * `URLSearchParams` are sent as a form and any other object as JSON; a string or bytes as they
   * are, with the `content-type` of `headers`.
   */
  body?: object | string | Uint8Array
  /**
   * Whether sending it twice does the same as once. Default: every method but POST. Only then is it
   * repeated after it was sent; otherwise a lost answer is an `OutcomeUnknownError`.
   */
  idempotent?: boolean
  /** Statuses outside 2xx that are answers, not errors. */
  accept?: readonly number[]
  timeoutMs?: number
}

/**
 * Plain data. A status outside 2xx appears here only when the request accepts it; every other
 * failure is thrown as an SDK error.
 */
export interface HttpResponse {
  status: number
  /** Lower-case names. */
  headers: Record<string, string>
  body: string
}

export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResponse>
  /**
   * The same, with the body parsed as JSON. A body that is not JSON (an HTML error page, a notice
   * before the JSON) is a `TransientError` naming the content type, after a request that is not
   * idempotent an `OutcomeUnknownError`.
   */
  json(request: HttpRequest): Promise<unknown>
}
