import { toError, UnexpectedAnswerError, UnreachableError } from './errors.ts'
import type { Answer, CallArguments, HubPaths, KnownListPath, KnownPath, Method, Row } from './operations.ts'
import { addressOf, nextPage, toFetchRequest, type AnyRequest, type Fetch, type FetchAnswer } from './requests.ts'

export interface ClientOptions<Given extends FetchAnswer = Response> {
  /**
   * The http or https URL of the hub, such as `https://hub.example`, with the path that a proxy
   * puts before. It has no user name, password, query or fragment.
   */
  url: string
  /** Token of the hub. Only few operations answer without one. */
  token?: string | undefined
  /** Sends a request. Default: the `fetch` of the platform. */
  fetch?: Fetch<Given>
}

type Call<Paths, M extends Method> = <P extends string>(
  path: KnownPath<Paths, M, P>,
  ...request: CallArguments<Paths, M, P>
) => Promise<Answer<Paths, M, P & keyof Paths>['data']>

/**
 * Calls the operations of a hub by method and path. Every call throws `ProblemError` when the hub
 * refuses it, `UnreachableError` when no answer comes, and `UnexpectedAnswerError` when the answer
 * is not one of a hub. The client repeats no request by itself.
 */
export interface Client<Paths = HubPaths, Given extends FetchAnswer = Response> {
  readonly url: string
  get: Call<Paths, 'get'>
  post: Call<Paths, 'post'>
  put: Call<Paths, 'put'>
  patch: Call<Paths, 'patch'>
  delete: Call<Paths, 'delete'>
  /** Like `get` and the others, with the status and the headers of the answer, such as `etag`. */
  request<M extends Method, P extends string>(
    method: M,
    path: KnownPath<Paths, M, P>,
    ...request: CallArguments<Paths, M, P>
  ): Promise<Answer<Paths, M, P & keyof Paths>>
  /** The entries of a list, page by page, as far as they are read. */
  list<P extends string>(
    path: KnownListPath<Paths, P>,
    ...request: CallArguments<Paths, 'get', P>
  ): AsyncGenerator<Row<Paths, P & keyof Paths>, void>
  /** Returns the answer before its body is read, for a long or endless one. */
  open<M extends Method, P extends string>(
    method: M,
    path: KnownPath<Paths, M, P>,
    ...request: CallArguments<Paths, M, P>
  ): Promise<Given>
}

const largestPage = 200

/**
 * Makes a client of the hub at `url`. `Paths` are its operations; the default are those that every
 * hub has. Throws a `TypeError` for a `url` that cannot be one of a hub.
 */
export function createClient<
  Paths extends object = HubPaths,
  Given extends FetchAnswer = Response
> (options: ClientOptions<Given>): Client<Paths, Given>
export function createClient ({ url: given, token, fetch = globalThis.fetch }: ClientOptions<FetchAnswer>): Record<
  keyof Client,
  unknown
> {
  const url = parseUrl(given)

  async function open (method: Method, path: string, request: AnyRequest = {}): Promise<FetchAnswer> {
    const address = url + addressOf(path, request)
    const answer = await orUnreachable(fetch(address, toFetchRequest(method, token, request)), request.signal)
    if (answer.status < 400) return answer
    const text = await orUnreachable(answer.text(), request.signal)
    throw toError(url, answer.status, text, answer.headers.get('retry-after'))
  }

  /** Rejects with `UnreachableError`, or with the reason for which the caller gave up. */
  async function orUnreachable<Value> (value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
    return value.catch((error: unknown) => {
      if (signal?.aborted === true) throw error
      throw new UnreachableError(`the hub at ${url} does not answer (${reasonOf(error)})`, { cause: error })
    })
  }

  async function send (method: Method, path: string, request: AnyRequest = {}) {
    const answer = await open(method, path, request)
    const { status, headers } = answer
    const text = await orUnreachable(answer.text(), request.signal)
    return { status, headers, data: parse(text, status, headers.get('content-type') ?? '') }
  }

  function parse (text: string, status: number, type: string): unknown {
    if (type.startsWith('text/plain')) return text
    try {
      return text === '' ? undefined : JSON.parse(text)
    } catch (error) {
      throw new UnexpectedAnswerError(`the server at ${url} is not a hub`, status, { cause: error })
    }
  }

  async function* list (path: string, { query, ...request }: AnyRequest = {}): AsyncGenerator<unknown, void> {
    for (let page: AnyRequest['query'] = { limit: largestPage, ...query }; page !== undefined;) {
      const { data, headers } = await send('get', path, { ...request, query: page })
      if (Array.isArray(data)) yield* data
      page = nextPage(headers.get('link'))
    }
  }

  const call = (method: Method) => async (path: string, request?: AnyRequest) =>
    (await send(method, path, request)).data

  return {
    url,
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    request: send,
    list,
    open
  }
}

/**
 * Judges the address before the first request: `fetch` would refuse it there like a hub that does
 * not answer, and callers ask such a hub again.
 */
function parseUrl (url: string): string {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new TypeError(`'url' must be an http or https URL such as https://hub.example, not '${url}'`)
  }
  // Leave the URL out of the sentence: its password would be a secret.
  if (address.username + address.password !== '' || /[?#]/.test(url)) {
    throw new TypeError("'url' must be a URL without a user name, a password, a query and a fragment")
  }
  return address.href.replace(/\/+$/, '')
}

/** `fetch` hides the reason in the cause; a refusal of two addresses has no message. */
function reasonOf (error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reason = error.cause instanceof Error ? error.cause : error
  return reason.message || ('code' in reason ? String(reason.code) : reason.name)
}
