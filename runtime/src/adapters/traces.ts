import type { HttpRequestEvent, UnsentRequest } from '@linker/sdk/host'
import type { UpstreamCall } from '../jobs/job.ts'

/**
 * Takes the requests that a call of an adapter sends to its platform. `unsent`: the rest of a
 * request that a dry run did not send.
 */
export type TakeRequest = (request: UpstreamCall, unsent?: UnsentRequest) => void

export interface Traces {
  /** Reports the requests of a call until `end`. */
  begin(traceId: string, take: TakeRequest): void
  end(traceId: string): void
  /** Passes a request on to the call that sent it; one of no traced call goes nowhere. */
  note(traceId: string | undefined, event: HttpRequestEvent): void
}

// An adapter in its own thread can send the hub any event, so nothing in it is longer than this.
const longestPath = 200
const longestWord = 60
const longestUnsent = 16_384

/**
 * Leads the reports of requests back to the calls that sent them. The id crosses into the thread of
 * an adapter and comes back with the report, so it works the same in every isolation. It cannot be
 * guessed: an adapter cannot report requests for the call of another one.
 */
export function createTraces (now: () => Date): Traces {
  const takers = new Map<string, TakeRequest>()
  return {
    begin (traceId, take) {
      takers.set(traceId, take)
    },
    end (traceId) {
      takers.delete(traceId)
    },
    note (traceId, event) {
      if (traceId !== undefined) takers.get(traceId)?.(upstreamCallOf(event, now()), unsentOf(event))
    }
  }
}

/** Returns a request as a job keeps it. `endedAt`: when it was over. */
export function upstreamCallOf (
  { method, path, status, error, durationMs }: HttpRequestEvent,
  endedAt: Date
): UpstreamCall {
  const ms = Number.isFinite(durationMs) ? Math.max(0, Math.round(durationMs)) : 0
  return {
    at: new Date(endedAt.getTime() - ms).toISOString(),
    method: String(method).slice(0, longestWord),
    path: shortened(String(path)),
    status: Number.isInteger(status) ? Number(status) : null,
    ms,
    ...(error === undefined ? {} : { error: String(error).slice(0, longestWord) })
  }
}

function unsentOf ({ unsent }: HttpRequestEvent): UnsentRequest | undefined {
  if (unsent === undefined) return undefined
  const { query, body } = unsent
  return {
    ...(query === undefined ? {} : { query: String(query).slice(0, longestUnsent) }),
    ...(body === undefined ? {} : { body: String(body).slice(0, longestUnsent) })
  }
}

function shortened (path: string): string {
  return path.length > longestPath ? `${path.slice(0, longestPath - 1)}…` : path
}
