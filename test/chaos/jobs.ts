import type { ApiClient } from '../support/api.ts'

export interface EventJob {
  idempotencyKey: string
  payload: { eventId?: string }
  status: string
  finishedAt: string | null
}

/** Returns every job that the filter matches. */
export async function listJobs (call: ApiClient, filter: string): Promise<EventJob[]> {
  return listAll(call, `/jobs?${filter}`)
}

/** Returns what all pages of a list hold. `path` has a query. */
export async function listAll<Item> (call: ApiClient, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (let next: string | undefined = `${path}&limit=200`; next !== undefined;) {
    const page = await call('GET', next)
    if (page.status !== 200) throw new Error(`GET ${next} answered ${page.status}: ${page.text}`)
    items.push(...page.json as Item[])
    next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
  }
  return items
}

export const hasEnded = ({ status }: EventJob): boolean => status === 'succeeded' || status === 'dead'
