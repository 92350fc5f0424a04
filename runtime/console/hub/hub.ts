import { createClient, type AnyOperation, type FetchRequest, type Method } from '@linker/client'
import { clock, nowMs, readClock } from './clock.ts'
import { session } from './session.ts'

const options = {
  url: location.origin,
  async fetch (url: string, { signal, ...request }: FetchRequest) {
    const answer = await fetch(url, { ...request, ...(signal === undefined ? {} : { signal }) })
    readClock(answer.headers.get('date'))
    clock.value = nowMs()
    // A session ends after 12 hours, and when somebody revokes its token.
    if (answer.status === 401) session.value = null
    return answer
  }
}

/**
 * The API of the hub that served this page, with the types of `@linker/client`. The browser adds
 * the cookie of the session; no script knows a token.
 */
export const hub = createClient(options)

/** The same for paths that are known at run time only, such as the routes of adapters. */
export const anyHub = createClient<Record<string, Record<Method, AnyOperation>>>(options)

export interface Page<Row> {
  rows: readonly Row[]
  /** Where the next page begins. Undefined: this is the last one. */
  next: string | undefined
}

/** The rows of one page of a list, from the answer of `hub.request`. */
export function toPage<Row> ({ data, headers }: {
  data: readonly Row[],
  headers: { get(name: string): string | null }
}): Page<Row> {
  const [, address] = /<([^>]+)>; *rel="?next"?/.exec(headers.get('link') ?? '') ?? []
  const next = address === undefined ? null : new URL(address, location.origin).searchParams.get('cursor')
  return { rows: data, next: next ?? undefined }
}
