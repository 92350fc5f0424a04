import type { FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'

/** A query as Fastify parses it: a repeated parameter becomes an array. */
export type Query = Record<string, string | string[]>

export interface LoggedRequest {
  /** When the request arrived, by the simulator's clock. */
  at: string
  method: string
  path: string
  query: Query
  /** `authorization` keeps its scheme only: `Bearer ***`. */
  headers: IncomingHttpHeaders
  /** Parsed JSON, or the text of an XML document. */
  body?: unknown
  /** The status that the client received; absent before the answer and after a connection reset. */
  status?: number
  /** The `X-Request-Id` header. */
  requestId?: string
  /** Absent before the answer. */
  durationMs?: number
}

/** A text matches the whole path, an expression any part of it. An absent member matches all. */
export interface RequestMatch {
  method?: string
  path?: string | RegExp
}

export function matches (match: RequestMatch, method: string, path: string): boolean {
  if (match.method !== undefined && match.method !== method) return false
  if (match.path === undefined) return true
  return typeof match.path === 'string' ? match.path === path : match.path.test(path)
}

export function pathOf (request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

/**
 * Makes a log that keeps the last `limit` requests, oldest first. `record` answers the entry that
 * `settle` completes.
 */
export function createRequestLog (now: () => Date, limit = 1000) {
  const entries: LoggedRequest[] = []
  const waiting = new Set<(entry: LoggedRequest) => void>()

  function record (request: FastifyRequest): LoggedRequest {
    const requestId = request.headers['x-request-id']
    const entry: LoggedRequest = {
      at: now().toISOString(),
      method: request.method,
      path: pathOf(request),
      query: maskQuery(request.query),
      headers: maskHeaders(request.headers)
    }
    if (typeof requestId === 'string') entry.requestId = requestId
    entries.push(entry)
    if (entries.length > limit) entries.shift()
    return entry
  }

  function settle (entry: LoggedRequest, durationMs: number, status?: number): void {
    entry.durationMs = durationMs
    if (status !== undefined) entry.status = status
    for (const notify of waiting) notify(entry)
  }

  function matching (match: RequestMatch): LoggedRequest[] {
    return entries.filter(entry => matches(match, entry.method, entry.path))
  }

  /**
   * Waits for a finished request that matches; one that is already in the log counts. Rejects when
   * `signal` aborts.
   */
  function waitFor (match: RequestMatch, signal?: AbortSignal): Promise<LoggedRequest> {
    const finished = matching(match).find(entry => entry.durationMs !== undefined)
    if (finished !== undefined) return Promise.resolve(finished)
    return new Promise((resolve, reject) => {
      function stop () {
        waiting.delete(notify)
        signal?.removeEventListener('abort', abort)
      }
      function notify (entry: LoggedRequest) {
        if (!matches(match, entry.method, entry.path)) return
        stop()
        resolve(entry)
      }
      function abort () {
        stop()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort)
      waiting.add(notify)
      if (signal?.aborted === true) abort()
    })
  }

  function clear (): void {
    entries.length = 0
  }

  const log = { entries: entries as readonly LoggedRequest[], matching, waitFor, clear }
  return { log, record, settle }
}

export type RequestLog = ReturnType<typeof createRequestLog>['log']

function maskHeaders (headers: IncomingHttpHeaders): IncomingHttpHeaders {
  if (headers.authorization === undefined) return { ...headers }
  return { ...headers, authorization: headers.authorization.replace(/(?: .*)?$/s, ' ***') }
}

function maskQuery (query: unknown): Query {
  const logged: Query = { ...query as Query }
  if (logged.ws_key !== undefined) logged.ws_key = '***'
  return logged
}
