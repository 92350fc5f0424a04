import type { Static, TSchema } from '@sinclair/typebox'
import type { AdapterError } from '../errors.ts'

/**
 * Makes a client for one base URL. The runtime adds the address policy, redaction, the request id
 * and the deadline of the current call.
 */
export type HttpClientFactory = (options: HttpClientOptions) => HttpClient

export interface HttpClientOptions {
  /**
   * An absolute http(s) URL without credentials, query or fragment. Its path is a prefix that no
   * request path can leave.
   */
  baseUrl: string
  /**
   * The client sends it with every request, never logs it and never sends it across a redirect (it
   * does not follow redirects).
   */
  auth?: { type: 'basic', username: string, password: string } | { type: 'bearer', token: string | FindToken }
  /**
   * The client sends them with every request; a request's own headers win. It sends `content-type`
   * only with a body.
   */
  headers?: Record<string, string>
  /** The time for one attempt, including connection and whole body. Default 30 000 ms. */
  timeoutMs?: number
  /**
   * How often the client repeats a repeatable request inside one call after a network failure, 429,
   * 502, 503 or 504. Default 2.
   */
  retries?: number
  /** The longest accepted answer, in bytes. Default 10 MiB. A longer one is a `RejectedError`. */
  maxResponseBytes?: number
  /**
   * The client asks it first for every answer that is not accepted. It throws a returned error
   * unchanged and does not repeat the request, unless it gets a new token after a 401. On
   * `undefined` the client classifies the answer by status and repeats the request where that is
   * safe. Secrets of the request that the body repeats are redacted.
   */
  classify?: (response: HttpResponse) => AdapterError | undefined
}

/**
 * Returns the token of the next request. The client calls it for each request. When the platform
 * refuses a token with 401, whatever `classify` makes of it, the client calls it once more with
 * that token. If the new token is another one, the client sends the request again, also a POST: a
 * refused request had no effect. With `context.oauth`:
 * `rejected => oauth.accessToken(refresh, { rejected })`.
 */
export type FindToken = (rejected?: string) => Promise<string>

export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * The client joins it below the base URL; leading slashes do not matter. Encode ids with
   * `encodeURIComponent`. It appears in messages and traces, so put secrets into a header.
   */
  path: string
  /**
   * The client leaves out `undefined` members and repeats the name for arrays. Never in a message
   * or a trace.
   */
  query?: Record<string, string | number | boolean | undefined | readonly (string | number)[]>
  headers?: Record<string, string>
  /**
   * The client sends `URLSearchParams` as a form and any other object as JSON. It sends a string or
   * bytes unchanged, with the `content-type` of `headers`.
   */
  body?: object | string | Uint8Array
  /**
   * Whether sending the request twice has the same effect as once. Default: every method but POST.
   * The client repeats only such a request after it was sent; for others, a lost answer is an
   * `OutcomeUnknownError`.
   */
  idempotent?: boolean
  /** Statuses outside 2xx to answer instead of throwing. */
  accept?: readonly number[]
  timeoutMs?: number
  /**
   * Names the part of the platform that answers, such as `module`, when it fails and rests apart
   * from the rest: lower-case letters, digits and hyphens, at most 32. The hub keeps rests, the
   * circuit breaker and the learnt rate for each area, so a rest of one holds up no other. Without
   * an area they hold for the whole connection, requests with an area included. Name few areas and
   * never an object: the hub keeps 20 for a connection, and treats further ones as the whole.
   */
  area?: string
}

/**
 * Plain data. It has a status outside 2xx only when the request accepts it; the client throws every
 * other failure as an SDK error.
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
   * Sends the request and parses the body as JSON. A body that is not JSON (an HTML error page, a
   * notice before the JSON) is a `TransientError` naming the content type. After a request that is
   * not idempotent it is an `OutcomeUnknownError`. A whole number beyond 2^53 becomes a text of its
   * digits, as `parseJson` says.
   */
  json(request: HttpRequest): Promise<unknown>
  /**
   * The same, and checks the answer against the schema `as`. An answer of another form is the same
   * error as a body that is not JSON, and so is any answer when the schema itself is at fault. The
   * message names the first wrong member by its JSON pointer, with `*` for keys that the schema
   * does not name, and never its value. The client keeps unknown members, fills in no defaults, and
   * knows no `format`: use `pattern`.
   */
  json<Schema extends TSchema>(request: HttpRequest & { as: Schema }): Promise<Static<Schema>>
  /** `json` with the method GET. */
  get(path: string, options?: GetOptions): Promise<unknown>
  /** `json` with the method GET and the schema `as`. */
  get<Schema extends TSchema>(path: string, options: GetOptions & { as: Schema }): Promise<Static<Schema>>
}

/** The members of a request that a GET may have. */
export type GetOptions = Pick<HttpRequest, 'query' | 'headers' | 'accept' | 'timeoutMs' | 'area'>
