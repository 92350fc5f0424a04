import type { ApiClient } from '../support/api.ts'

export interface EventJob {
  idempotencyKey: string
  payload: { eventId?: string }
  status: string
  finishedAt: string | null
}

/** Returns every job that the filter matches, from all pages. */
export async function listJobs (call: ApiClient, filter: string): Promise<EventJob[]> {
  const jobs: EventJob[] = []
  let path: string | undefined = `/jobs?${filter}&limit=200`
  while (path !== undefined) {
    const page = await call('GET', path)
    if (page.status !== 200) throw new Error(`GET ${path} answered ${page.status}: ${page.text}`)
    jobs.push(...page.json as EventJob[])
    path = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
  }
  return jobs
}

export const hasEnded = ({ status }: EventJob): boolean => status === 'succeeded' || status === 'dead'
