import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

/**
 * Returns functions that call the hub's API with an admin token. A call throws when the hub answers
 * with a status of 400 or above.
 */
export function createApi (url: string, token: string) {
  async function call (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const response = await request(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': body && 'application/json'
      },
      body: body && JSON.stringify(body)
    })
    const text = await response.body.text()
    if (response.statusCode >= 400) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  /**
   * Calls `look` every 20 ms until it returns a value, and returns that value. When that takes
   * longer than `timeoutMs`, throws an error that names the `event`.
   */
  async function until<Result> (
    event: string,
    look: () => Promise<Result | undefined>,
    timeoutMs = 30_000
  ): Promise<Result> {
    const signal = AbortSignal.timeout(timeoutMs)
    while (!signal.aborted) {
      const found = await look()
      if (found !== undefined) return found
      await sleep(20)
    }
    throw new Error(`${event} did not happen within ${timeoutMs} ms`)
  }

  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: object) => call('POST', path, body),
    until
  }
}

export type Api = ReturnType<typeof createApi>
