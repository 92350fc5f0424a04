import type { Dispatcher } from 'undici'
import { RejectedError } from '../../errors.ts'
import { mapRequest } from '../../host/recording/map-values.ts'
import { redactedBy, type RedactValue } from '../../host/recording/personal-data.ts'
import { readableRequest } from '../../host/recording/record-exchanges.ts'
import {
  ownOrigin,
  type RecordedExchange,
  type RecordedRequest,
  type Recording
} from '../../host/recording/recording.ts'
import { escapeUnprintable } from '../../printable.ts'
import { comparable, differencesOf } from './match-request.ts'

export interface ReplayOptions {
  /** The name of the recording in messages. */
  name: string
  /** Removes the secrets of the connection. */
  redactText?: (text: string) => string
  redact?: RedactValue | undefined
  /** Gives the last answer again to every request, not only to those that read. */
  repeats?: boolean
  /**
   * Called for each request, in its asynchronous context, with the position of the exchange that
   * answers it; undefined for a request that is not recorded.
   */
  onRequest?(request: { method: string, path: string }, position: number | undefined): void
}

/** A platform that gives the recorded answers, without a network. */
export interface Replay {
  /** Stands between the HTTP client and its connections. */
  intercept: Dispatcher.DispatcherComposeInterceptor
  /** The recorded requests that nobody sent. */
  unasked(): string[]
  /** The requests that are not recorded, each with its nearest recording. */
  unrecorded(): string[]
}

interface Recorded {
  position: number
  exchange: RecordedExchange
  request: RecordedRequest
  /** How often it was answered. */
  asked: number
}

/**
 * Answers requests from a recording. Requests match by method, path, query and body. Those that are
 * recorded several times get their answers in the recorded order; after the last answer, a request
 * that only reads gets it again.
 */
export function createReplay (recording: Recording, options: ReplayOptions): Replay {
  const { name, redactText = text => text, redact, repeats = false, onRequest = () => undefined } = options
  const recorded: Recorded[] = recording.exchanges.map((exchange, position) => ({
    position,
    exchange,
    request: comparable(exchange.request),
    asked: 0
  }))
  const refused: string[] = []

  function find (asked: RecordedRequest): Recorded | RejectedError {
    const same = recorded.filter(({ request }) => differencesOf(asked, request).length === 0)
    const next = same.find(candidate => candidate.asked === 0)
    const again = repeats || isSafe(asked.method) ? same.at(-1) : undefined
    const found = next ?? again
    if (found !== undefined) {
      found.asked += 1
      return found
    }
    const message = `${nameOf(asked)} is not recorded in ${name}${
      same.length > 0 ? ` more than ${times(same.length)}` : nearestOf(asked, recorded)
    }`
    refused.push(message)
    return new RejectedError(message)
  }

  return {
    intercept: () => (options, handler) => {
      const controller = createController()
      const request = readableRequest(exchangeOf(options), redactText)
      const given = redact === undefined ? request : mapRequest(request, '/request', redactedBy(redact))
      const found = find(comparable(given))
      const isRecorded = !(found instanceof RejectedError)
      onRequest(options, isRecorded ? found.position : undefined)
      // Undici, too, answers in a later turn.
      setImmediate(() => {
        answer(isRecorded ? found.exchange : found, originOf(options), handler, controller)
      })
      return true
    },
    unasked: () => recorded.filter(({ asked }) => asked === 0).map(({ exchange }) => nameOf(exchange.request)),
    unrecorded: () => [...refused]
  }
}

function isSafe (method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function originOf ({ origin = '' }: Dispatcher.DispatchOptions): string {
  return typeof origin === 'string' ? origin : origin.origin
}

function exchangeOf (options: Dispatcher.DispatchOptions): Parameters<typeof readableRequest>[0] {
  const { method, path, body } = options
  return {
    method,
    url: `${originOf(options)}${path}`,
    headers: options.headers as Record<string, string>,
    body: typeof body === 'string' || body instanceof Uint8Array ? body : undefined,
    secrets: [],
    isIdempotent: true
  }
}

interface Controller extends Dispatcher.DispatchController {
  isOver(): boolean
}

function createController (): Controller {
  let reason: Error | null = null
  return {
    get aborted () {
      return reason !== null
    },
    paused: false,
    get reason () {
      return reason
    },
    abort (error: Error) {
      reason ??= error
    },
    pause () {},
    resume () {},
    isOver: () => reason !== null
  }
}

function answer (
  found: RecordedExchange | RejectedError,
  origin: string,
  handler: Dispatcher.DispatchHandler,
  controller: Controller
): void {
  if (found instanceof RejectedError) return handler.onResponseError?.(controller, found)
  handler.onRequestStart?.(controller, {})
  // The client gave the request up meanwhile, and knows.
  if (controller.isOver()) return
  if (found.answer === undefined) {
    const { failure = 'ECONNRESET' } = found
    const error = Object.assign(new Error(`recorded failure: ${failure}`), { code: failure })
    return handler.onResponseError?.(controller, error)
  }
  const { status, headers = {}, body, text } = found.answer
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const content = body === undefined ? text ?? '' : JSON.stringify(body)
  const own = (value: string): string => value.replaceAll(ownOrigin, origin)
  const given = Object.entries({ ...type, ...headers }).map(([name, value]) => [name, own(value)])
  handler.onResponseStart?.(controller, status, Object.fromEntries(given), '')
  if (!controller.isOver()) handler.onResponseData?.(controller, Buffer.from(own(content)))
  if (!controller.isOver()) handler.onResponseEnd?.(controller, {})
}

/** Names a request as messages show it: `GET /products?limit=10`. */
export function nameOf ({ method, path, query = {} }: RecordedRequest): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => [value].flat().map(item => `${name}=${item}`))
  return escapeUnprintable(`${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`)
}

function times (count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

const longestShown = 80

/** Names the recording that differs least, and the first difference. */
function nearestOf (asked: RecordedRequest, recorded: readonly Recorded[]): string {
  const compared = recorded.map(({ request }) => ({ request, differences: differencesOf(asked, request) }))
  const [nearest] = compared.sort((a, b) => distanceOf(a.differences, asked) - distanceOf(b.differences, asked))
  const difference = nearest?.differences[0]
  if (nearest === undefined || difference === undefined) return ', which has no request'
  return `; the nearest is ${nameOf(nearest.request)}, which differs at ${difference.pointer}: ${
    shown(difference.recorded)
  } is recorded, ${shown(difference.asked)} was sent`
}

function distanceOf (differences: readonly { pointer: string, recorded: unknown }[], asked: RecordedRequest): number {
  return differences.reduce((sum, { pointer, recorded }) => {
    if (pointer === '/method') return sum + 1_000
    if (pointer === '/path') return sum + 100 + 100 * unlike(asked.path, String(recorded))
    return sum + 1
  }, 0)
}

/** The share of the segments that two paths do not have in common, from 0 to 1. */
function unlike (a: string, b: string): number {
  const [first, second] = [a.split('/'), b.split('/')]
  const most = Math.max(first.length, second.length)
  const equal = first.filter((segment, index) => segment === second[index]).length
  return (most - equal) / most
}

function shown (value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) return 'nothing'
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
