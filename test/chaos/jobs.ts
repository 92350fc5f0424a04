import type { ApiClient } from '../support/api.ts'

export interface EventJob {
  jobType: string
  idempotencyKey: string
  payload: { eventId?: string }
  status: string
  finishedAt: string | null
}

/** Returns every job that the filter matches. */
export async function listJobs (call: ApiClient, filter: string): Promise<EventJob[]> {
  return listAll(call, `/jobs?${filter}`)
}

/**
 * Returns the jobs of a connection by the event that made them. Leaves out the job that reads an
 * object again at the end of the window: it names an event, too, and waits.
 */
export async function listByEvent (call: ApiClient, connectionId: string): Promise<Map<string, EventJob[]>> {
  const jobs = await listJobs(call, `connectionId=${connectionId}`)
  return Map.groupBy(
    jobs.filter(({ jobType }) => jobType !== 'inventory.readAgain'),
    ({ payload }) => payload.eventId ?? ''
  )
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
