import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import { OutcomeUnknownError, RejectedError, TransientError } from '../errors.ts'
import {
  AttemptInterrupted,
  classifyAnswer,
  classifyFailure,
  codeOf,
  isAccepted,
  type Phase,
  type RequestFacts
} from './classify.ts'
import type { HttpResponse } from './http.ts'
import { AttemptFailure } from './retry.ts'

export interface AttemptOptions {
  facts: RequestFacts
  timeoutMs: number
  maxResponseBytes: number
  signal: AbortSignal | undefined
  /** Called with a complete, accepted answer. */
  onAnswer(answer: HttpResponse): void
  /** Called once when the attempt is over. */
  onEnd(end: AttemptEnd): void
}

export interface AttemptEnd {
  /** Undefined when no answer began. */
  status: number | undefined
  /** The code of the failure when no complete answer came, such as `ECONNREFUSED`. */
  error: string | undefined
  /** The error with which the attempt ended; undefined after an accepted answer. */
  failure: Error | undefined
  /** The complete answer, accepted or not. */
  answer: HttpResponse | undefined
  durationMs: number
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/**
 * An undici interceptor to use below the retry interceptor. It bounds one attempt in time and size.
 * The attempt ends either in a complete accepted answer, of which the handler sees only the status,
 * or in one `AttemptFailure`. So a repeat never sees half an answer, and a waiting request holds no
 * connection.
 */
export function limitAttempt (options: AttemptOptions): Dispatcher.DispatcherComposeInterceptor {
  return dispatch => (dispatchOptions, handler) =>
    dispatch(dispatchOptions, createAttempt(handler, options, dispatchOptions.method === 'HEAD'))
}

function createAttempt (
  handler: Dispatcher.DispatchHandler,
  options: AttemptOptions,
  isHead: boolean
): Dispatcher.DispatchHandler {
  const { facts, maxResponseBytes, onAnswer } = options
  const answer = createAnswer(maxResponseBytes, isHead)
  let controller = notStarted
  const phase = (): Phase => {
    if (controller === notStarted) return 'unsent'
    return answer.status() === undefined ? 'sent' : 'answered'
  }
  const lifetime = createLifetime(options, interrupted => {
    fail(classifyFailure(interrupted, phase(), facts), interrupted.code)
  })
  const refuseLength = (): void => {
    fail(tooLong(facts, maxResponseBytes), 'TOO_LONG')
  }

  function fail (failure: AttemptFailure, code: string) {
    if (!lifetime.end(answer.status(), code, failure)) return
    controller.abort(failure)
    handler.onResponseError?.(controller, failure)
  }

  return {
    onRequestStart (started, context) {
      // Undici cannot cancel a request that waits for its connection, so stop an attempt that ended
      // meanwhile here, before a byte is written.
      if (lifetime.isOver()) return started.abort(new AttemptInterrupted('ABORTED'))
      controller = started
      handler.onRequestStart?.(started, context)
    },
    onResponseStart (_controller, status, headers, statusText) {
      if (status >= 200 && !answer.start(status, headers, statusText)) refuseLength()
    },
    onResponseData (_controller, chunk) {
      if (!answer.add(chunk)) refuseLength()
    },
    onResponseEnd (_controller, trailers) {
      if (lifetime.isOver()) return
      const response = answer.response()
      const failure = judge(response, facts)
      lifetime.end(response.status, undefined, failure, response)
      if (failure !== undefined) return handler.onResponseError?.(controller, failure)
      onAnswer(response)
      answer.passTo(handler, controller, trailers)
    },
    onResponseError (_controller, error) {
      const failure = classifyFailure(error, phase(), facts)
      if (!lifetime.end(answer.status(), codeOf(error), failure)) return
      handler.onResponseError?.(controller, failure)
    }
  }
}

function judge (response: HttpResponse, facts: RequestFacts): AttemptFailure | undefined {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (!isAccepted(response.status, facts) || encoding.toLowerCase() === 'identity') {
    return classifyAnswer(response, facts)
  }
  const received = `${response.status} with content-encoding ${encoding}`
  const message = facts.redact(`${facts.label} answered ${received}, which the client did not ask for`)
  const options = { status: response.status }
  return new AttemptFailure(facts.isIdempotent
    ? new TransientError(message, options)
    : new OutcomeUnknownError(message, options))
}

function tooLong ({ label, redact }: RequestFacts, maxResponseBytes: number): AttemptFailure {
  return new AttemptFailure(new RejectedError(redact(`${label} answered with more than ${maxResponseBytes} bytes`)))
}

function createLifetime ({ timeoutMs, signal, onEnd }: AttemptOptions, interrupt: (error: AttemptInterrupted) => void) {
  const startedAt = performance.now()
  let over = false
  const timer = setTimeout(() => {
    interrupt(new AttemptInterrupted('TIMEOUT'))
  }, timeoutMs)
  signal?.addEventListener('abort', onAbort, { once: true })

  function onAbort () {
    interrupt(new AttemptInterrupted('ABORTED'))
  }

  /** Whether this call ended the attempt; later calls come too late. */
  function end (
    status: number | undefined,
    error: string | undefined,
    failure: AttemptFailure | undefined,
    answer?: HttpResponse
  ): boolean {
    if (over) return false
    over = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    onEnd({ status, error, failure: failure?.error, answer, durationMs: performance.now() - startedAt })
    return true
  }

  return { end, isOver: () => over }
}

// Decode the pieces of an answer as they arrive: waiting buffers grow old, and V8 lets 64 MiB of
// old ones gather. Keep the pieces of a large answer as bytes: a thread has less room for texts
// than for bytes.
const mostTextBytes = 1024 * 1024

/** Collects one answer up to `maxBytes`. */
function createAnswer (maxBytes: number, isHead: boolean) {
  // Not a TextDecoder: decoding in pieces, it makes texts that take two bytes a character.
  const decoder = new StringDecoder('utf8')
  let text = ''
  let rest: Buffer[] = []
  let sizeBytes = 0
  let head: { status: number, headers: Headers, statusText: string | undefined } | undefined

  /** Whether the announced length of the body is within the limit. */
  function start (status: number, headers: Headers, statusText: string | undefined): boolean {
    head = { status, headers, statusText }
    return isHead || !(Number(headers['content-length']) > maxBytes)
  }

  /** Whether the body is still within its limit. */
  function add (chunk: Buffer): boolean {
    sizeBytes += chunk.length
    if (sizeBytes <= mostTextBytes) text += decoder.write(chunk)
    else if (sizeBytes <= maxBytes) rest.push(chunk)
    else rest = []
    return sizeBytes <= maxBytes
  }

  function response (): HttpResponse {
    text += decoder.end(Buffer.concat(rest))
    rest = []
    return { status: head?.status ?? 0, headers: plainHeaders(head?.headers ?? {}), body: withoutMark(text) }
  }

  function passTo (handler: Dispatcher.DispatchHandler, controller: Dispatcher.DispatchController, trailers: Headers) {
    // Pass no headers: the retry interceptor would miss the bytes that a content-length promises.
    handler.onResponseStart?.(controller, head?.status ?? 0, {}, head?.statusText)
    handler.onResponseEnd?.(controller, trailers)
  }

  return { start, add, response, passTo, status: () => head?.status }
}

/** Removes the byte order mark, which `JSON.parse` refuses. */
function withoutMark (text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function plainHeaders (headers: Headers): Record<string, string> {
  const textOf = (value: Headers[string]): string => Array.isArray(value) ? value.join(', ') : value ?? ''
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)]))
}

const notStarted: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort () {},
  pause () {},
  resume () {}
}
