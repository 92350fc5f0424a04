import type { TSchema } from '@sinclair/typebox'
import { AsyncLocalStorage } from 'node:async_hooks'
import { isIP } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { contractVersion } from '../adapter.ts'
import type { Log } from '../context.ts'
import {
  AdapterErrorCode,
  ConfigurationError,
  isAdapterError,
  OutcomeUnknownError,
  RateLimitedError,
  RejectedError,
  TransientError,
  type UnavailableError
} from '../errors.ts'
import { parseJson } from '../parse-json.ts'
import { createRedactor } from '../redact.ts'
import type { AddressPolicy } from './address-policy.ts'
import { checkedArea } from './area.ts'
import { limitAttempt, type AttemptEnd } from './attempt.ts'
import type { RequestFacts } from './classify.ts'
import { encodeRequest, headerSecretsOf, secretsOf, type ResolvedOptions } from './encode-request.ts'
import { findProblem } from './find-problem.ts'
import type { GetOptions, HttpClient, HttpClientFactory, HttpClientOptions, HttpRequest, HttpResponse } from './http.ts'
import { joinUrl, parseBaseUrl } from './join-url.ts'
import { AttemptFailure, createRetryPolicy } from './retry.ts'

/**
 * One attempt of one request, for metrics and traces. The path has no query, because a query may
 * contain a key.
 */
export interface HttpRequestEvent {
  method: string
  origin: string
  path: string
  /** Absent without an answer. */
  status?: number
  /** The code of the failure when no complete answer came, such as `ECONNREFUSED` or `TIMEOUT`. */
  error?: string
  durationMs: number
  requestId?: string
  /** The area that the request named. */
  area?: string
  /**
   * `throttled`: the platform asked to slow down. `away`: the adapter says that it is off for a
   * while. `unavailable`: it answered with a failure of its own, or not at all. Absent: it works.
   */
  fault?: 'throttled' | 'away' | 'unavailable'
  /** The wait that a platform asked for. */
  retryAfterMs?: number
  /** Why the platform is away, as the adapter says it. */
  reason?: string
  /** The rest of a request that a dry run did not send. */
  unsent?: UnsentRequest
}

/** Both texts are without the secrets that the client knows. */
export interface UnsentRequest {
  /** With the question mark; absent without a query. */
  query?: string
  /** Absent without a body. Bytes are told by their number. */
  body?: string
}

/**
 * One attempt of one request with everything that it sent and got, for a recording. It contains
 * secrets and personal data.
 */
export interface HttpExchange {
  method: string
  url: string
  /** As they were sent. */
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | undefined
  /** Its authorisation, and the values of headers with the name of a secret. */
  secrets: readonly string[]
  /** Whether the adapter says that sending it twice has the same effect as once. */
  isIdempotent: boolean
  /** Absent when no complete answer came. */
  answer?: HttpResponse
  /** The code of the failure when no complete answer came, such as `ECONNRESET`. */
  failure?: string
}

/** A request that the host did not let out; the client throws a `RateLimitedError` instead. */
export interface RefusedRequest {
  message: string
  retryAfterMs: number
}

/** The runtime supplies this to the clients of one connection. */
export interface HttpHost {
  addressPolicy: AddressPolicy
  /**
   * Returns the current call: its signal ends every attempt, its id goes out as `X-Request-Id`. In
   * a dry run, the client sends only GET and HEAD requests; in a call that only reads what the hub
   * keeps, none.
   */
  currentCall(): { signal?: AbortSignal, requestId?: string, isDryRun?: boolean, readsHubOnly?: boolean } | undefined
  log?: Log
  /** Default `linker/<version of the contract>`. */
  userAgent?: string
  /**
   * Replaces the agent and its address policy, for the conformance suite. The factory does not
   * close it.
   * @internal The published types do not name undici, which npm does not install beside them.
   */
  dispatcher?: Dispatcher
  /**
   * Stands between the client and the connections, to answer in place of the platform.
   * @internal
   */
  intercept?: Dispatcher.DispatcherComposeInterceptor
  clock?: { now(): Date }
  /**
   * Called before each attempt, which waits for the answer, with the area that the request names. A
   * refusal ends the request.
   */
  admit?(area: string | undefined): Promise<RefusedRequest | undefined>
  /** Called in the asynchronous context of the request. */
  onRequest?(event: HttpRequestEvent): void
  /**
   * Called at the end of each attempt, in the asynchronous context of the request. Returns the
   * function that takes the exchange; undefined when nobody records it.
   */
  recorder?(): ((exchange: HttpExchange) => void) | undefined
}

const defaultTimeoutMs = 30_000
const defaultMaxResponseBytes = 10 * 1024 * 1024
const defaultRetries = 2

/**
 * Makes the `http` of a context. All its clients share one connection pool. `close` ends the
 * connections at once and fails running requests, so call it only when no handler runs any more.
 */
export function createHttpClientFactory (host: HttpHost): { http: HttpClientFactory, close: () => Promise<void> } {
  let agent: Promise<Agent> | undefined
  let isClosed = false

  async function findDispatcher (): Promise<Dispatcher> {
    if (host.dispatcher !== undefined) return host.dispatcher
    // An agent that exists refuses the request itself.
    if (isClosed && agent === undefined) throw new TransientError('the connections of the adapter are closed')
    agent ??= createAgent(host.addressPolicy)
    return agent
  }

  return {
    http: options => createClient(host, findDispatcher, options),
    close: async () => {
      isClosed = true
      await (await agent)?.destroy()
    }
  }
}

/**
 * Import it for the first request: the hub and its threads start faster without it. It is CommonJS,
 * of which a bundle imports only the default export.
 */
const loadUndici = async () => (await import('undici')).default

async function createAgent (addressPolicy: AddressPolicy): Promise<Agent> {
  const { Agent, buildConnector } = await loadUndici()
  // HTTP/1.1 only: the client can tell per connection, not per stream, whether a request was sent.
  const connect = buildConnector({ timeout: 5000, allowH2: false, lookup: addressPolicy.lookup })
  return new Agent({
    headersTimeout: 15_000,
    bodyTimeout: 30_000,
    connect (options, callback) {
      // An address needs no look-up, so the policy's `lookup` never sees it.
      if (isIP(options.hostname) !== 0) {
        try {
          addressPolicy.assertAllowed(options.hostname, options.hostname)
        } catch (refusal) {
          callback(refusal as Error, null)
          return
        }
      }
      connect(options, callback)
    }
  })
}

type FindDispatcher = () => Promise<Dispatcher>

function createClient (host: HttpHost, findDispatcher: FindDispatcher, options: HttpClientOptions): HttpClient {
  const base = parseBaseUrl(options.baseUrl)
  const clock = host.clock ?? { now: () => new Date() }
  const send = createSender(host, findDispatcher)
  const { auth, ...others } = options

  async function exchange (httpRequest: HttpRequest): Promise<Exchange> {
    let isUnauthorized = false
    const once = async (resolved: ResolvedOptions): Promise<Exchange> => {
      const facts = factsOf(base, httpRequest, resolved, clock)
      const response = await send(httpRequest, facts, resolved, ({ status, error }) => {
        isUnauthorized = status === 401 && error === undefined
      })
      return { response, facts }
    }
    if (auth?.type !== 'bearer') return once({ ...others, auth })
    const { token } = auth
    const withToken = (found: string): Promise<Exchange> => once({ ...others, auth: { type: 'bearer', token: found } })
    if (typeof token === 'string') return withToken(token)
    const first = await token()
    try {
      return await withToken(first)
    } catch (error) {
      // Not the status of the error: an error of the adapter's `classify` may have none.
      if (!isUnauthorized) throw error
      const second = await token(first)
      if (second === first) throw error
      return withToken(second)
    }
  }

  async function request (httpRequest: HttpRequest): Promise<HttpResponse> {
    const { response } = await exchange(httpRequest)
    return response
  }

  async function json ({ as, ...httpRequest }: HttpRequest & { as?: TSchema }): Promise<unknown> {
    // Keep an `accept` header of the client or the request: a platform may want its own media type.
    const { response, facts } = await exchange(accepts(options.headers) || accepts(httpRequest.headers)
      ? httpRequest
      : { ...httpRequest, headers: { accept: 'application/json', ...httpRequest.headers } })
    const value = parseAnswer(response, facts)
    const problem = as === undefined ? undefined : await findProblem(as, value)
    if (problem === undefined) return value
    throw unreadable(response, facts, problem)
  }

  const get = (path: string, rest: GetOptions & { as?: TSchema } = {}): Promise<unknown> =>
    json({ ...rest, method: 'GET', path })

  return { request, json, get }
}

/** An accepted answer, and the facts about its request that messages need. */
interface Exchange {
  response: HttpResponse
  facts: RequestFacts
}

function parseAnswer (response: HttpResponse, facts: RequestFacts): unknown {
  const { body, headers } = response
  try {
    return parseJson(body)
  } catch {
    const found = body === '' ? 'an empty body' : headers['content-type'] ?? 'a body without content type'
    // The SyntaxError is not the cause: it quotes the body.
    throw unreadable(response, facts, `${found}, not JSON`)
  }
}

function accepts (headers: Record<string, string> = {}): boolean {
  return Object.keys(headers).some(name => name.toLowerCase() === 'accept')
}

function createSender (host: HttpHost, findDispatcher: FindDispatcher) {
  return async (
    { method, area: givenArea, ...rest }: HttpRequest,
    facts: RequestFacts,
    options: ResolvedOptions,
    onEnd: (end: AttemptEnd) => void
  ): Promise<HttpResponse> => {
    const { signal, requestId, isDryRun, readsHubOnly } = host.currentCall() ?? {}
    throwIfAborted(signal, facts)
    const area = checkedArea(givenArea)
    if (readsHubOnly === true) {
      throw new ConfigurationError(`${facts.label} was not sent: its route says that it only reads what the hub keeps`)
    }

    const { headers, body } = encodeRequest({ method, ...rest }, options, {
      userAgent: host.userAgent ?? `linker/${contractVersion}`,
      requestId
    })
    const event = { method, origin: facts.url.origin, path: facts.redact(facts.url.pathname), requestId, ...area }
    if (isDryRun === true && !isSafe(method)) {
      host.onRequest?.({ ...event, durationMs: 0, unsent: unsentOf(facts, body) })
      throw new RejectedError(`${facts.label} was not sent, because the call is a dry run`)
    }
    // Undici calls back in the context of the request that opened the connection to the platform:
    // the hub would take this request for one of another call.
    const inContext = AsyncLocalStorage.snapshot()
    const report = ({ error, failure, answer, ...end }: AttemptEnd): void => {
      host.onRequest?.({ ...event, ...end, ...(error === undefined ? {} : { error }), ...faultOf(failure, error) })
      host.recorder?.()?.({
        method,
        url: facts.url.href,
        headers,
        body,
        secrets: headerSecretsOf(rest, options),
        isIdempotent: facts.isIdempotent,
        ...(answer === undefined ? {} : { answer }),
        ...(error === undefined ? {} : { failure: error })
      })
    }
    const admit = async (): Promise<Error | undefined> => {
      try {
        const refused = await host.admit?.(area.area)
        return refused === undefined ? undefined : notSent(refused, facts)
      } catch (error) {
        return new TransientError(`${facts.label} was not sent: the host could not decide about it`, { cause: error })
      }
    }
    let answer: HttpResponse | undefined
    const attempt = limitAttempt({
      facts,
      timeoutMs: rest.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs,
      maxResponseBytes: options.maxResponseBytes ?? defaultMaxResponseBytes,
      signal,
      onAnswer (accepted) {
        answer = accepted
      },
      onEnd (end) {
        onEnd(end)
        inContext(report, end)
      }
    })
    const retry = createRetryPolicy({
      retries: options.retries ?? defaultRetries,
      signal,
      admit: () => inContext(admit),
      onRepeat ({ message }, attempt, waitMs) {
        host.log?.info({ ...event, attempt, waitMs, reason: message }, 'upstream request will be repeated')
      }
    })

    const [{ interceptors, request }, dispatcher] = await Promise.all([loadUndici(), findDispatcher()])
    const refusal = await admit()
    if (refusal !== undefined) throw refusal
    // It may have been aborted meanwhile, and undici would not notice.
    throwIfAborted(signal, facts)
    try {
      const { body: none } = await request(facts.url, {
        dispatcher: dispatcher.compose([
          ...host.intercept === undefined ? [] : [host.intercept],
          attempt,
          interceptors.retry({ statusCodes: [], retry })
        ]),
        method,
        headers,
        body
      })
      await none.bytes()
      if (answer === undefined) throw new TypeError('an answer was accepted before it was complete')
      return answer
    } catch (error) {
      throw error instanceof AttemptFailure ? error.error : error
    }
  }
}

function notSent ({ message, retryAfterMs }: RefusedRequest, { label }: RequestFacts): RateLimitedError {
  return new RateLimitedError(`${label} was not sent: ${message}`, { retryAfterMs })
}

/** Says what an attempt tells of the platform. An aborted one tells nothing. */
function faultOf (
  failure: Error | undefined,
  code: string | undefined
): Pick<HttpRequestEvent, 'fault' | 'retryAfterMs' | 'reason'> {
  if (code === 'ABORTED' || !isAdapterError(failure)) return {}
  switch (failure.code) {
    case AdapterErrorCode.rateLimited: {
      const { retryAfterMs } = failure as RateLimitedError
      return { fault: 'throttled', ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    case AdapterErrorCode.unavailable: {
      const { retryAfterMs, message: reason } = failure as UnavailableError
      return { fault: 'away', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    case AdapterErrorCode.transient:
    case AdapterErrorCode.outcomeUnknown:
      return { fault: 'unavailable' }
    default:
      return {}
  }
}

/** Whether a request only reads (RFC 9110, section 9.2.1). */
function isSafe (method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function unsentOf ({ url, redact }: RequestFacts, body: string | Uint8Array | undefined): UnsentRequest {
  return {
    ...(url.search === '' ? {} : { query: redact(url.search) }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? redact(body) : `${body.length} bytes` })
  }
}

function throwIfAborted (signal: AbortSignal | undefined, { label }: RequestFacts): void {
  if (signal?.aborted === true) throw new TransientError(`${label} was not sent: the call was aborted`)
}

function factsOf (
  base: URL,
  { method, path, query, headers, idempotent, accept }: HttpRequest,
  options: ResolvedOptions,
  { now }: { now(): Date }
): RequestFacts {
  const url = joinUrl(base, path, query)
  const redact = createRedactor(secretsOf({ query, headers }, options))
  return {
    url,
    label: redact(`${method} ${url.origin}${url.pathname}`),
    isIdempotent: idempotent ?? method !== 'POST',
    accept: accept ?? [],
    classify: options.classify,
    redact,
    now
  }
}

/** The error of an accepted answer without a readable body. The request may have had its effect. */
function unreadable (
  { status }: HttpResponse,
  { label, isIdempotent, redact }: RequestFacts,
  found: string
): TransientError | OutcomeUnknownError {
  const message = redact(`${label} answered ${status} with ${found}`)
  return isIdempotent ? new TransientError(message, { status }) : new OutcomeUnknownError(message, { status })
}
