import { request, type Dispatcher } from 'undici'
import { describeHubs } from './hub-logs.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  json: unknown
}
export interface ApiCall {
  headers?: Record<string, string>
  body?: object | string
}

/**
 * Makes a client of a hub's API. An error status is an answer too: calls do not throw for it. The
 * dispatcher makes its sockets.
 */
export function createApi (url: string, token: string, dispatcher?: Dispatcher) {
  return async function call (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    { headers = {}, body }: ApiCall = {}
  ): Promise<Answer> {
    const response = await request(new URL(path, url), {
      method,
      ...(dispatcher === undefined ? {} : { dispatcher }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const text = await response.body.text()
    return { status: response.statusCode, headers: response.headers, text, json: parse(text) }
  }
}

export type ApiClient = ReturnType<typeof createApi>

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The shortest and the longest pause between two looks. */
const pauseMs = { least: 25, most: 250 }

/**
 * Repeats `look` until it finds something. The longer it has waited, the rarer it looks, because
 * every look costs the hub a request. Throws after `timeoutMs`, which is far longer than a busy
 * machine needs.
 */
export async function eventually<Result> (
  what: string,
  look: () => Promise<Result | undefined>,
  timeoutMs = 300_000
): Promise<Result> {
  const startedAt = performance.now()
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs = performance.now() - startedAt) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise(resolve => {
      setTimeout(resolve, Math.min(pauseMs.most, Math.max(pauseMs.least, waitedMs / 10)))
    })
  }
  throw new Error(`waiting for ${what} timed out after ${timeoutMs} ms${describeHubs()}`)
}
