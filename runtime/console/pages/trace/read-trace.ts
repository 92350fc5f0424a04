import { hub, toPage } from '../../hub/hub.ts'
import { deliveryOf } from '../../rules/jobs.ts'
import { missingStandIns, type TraceParts } from '../../rules/trace.ts'

export type FoundTrace = Pick<TraceParts, 'jobs' | 'standIns' | 'deliveries'> & { hasMore: boolean }

/** One request may be merged with few others: it stands for itself, not for a list. */
const mostStandIns = 10
const mostDeliveries = 5
const mostJobs = 200

/** Reads the jobs of a request with their requests to platforms, and what stands around them. */
export async function readTrace (requestId: string, signal: AbortSignal): Promise<FoundTrace> {
  const { rows: jobs, next } =
    toPage(await hub.request('get', '/jobs', { query: { requestId, calls: true, limit: mostJobs }, signal }))
  const deliveryIds = jobs.flatMap(job => deliveryOf(job) ?? []).slice(0, mostDeliveries)
  const [standIns, deliveries] = await Promise.all([
    Promise
      .all(missingStandIns(jobs).slice(0, mostStandIns).map(id => hub.get('/jobs/{id}', { path: { id }, signal }))),
    Promise.all(deliveryIds.map(id => hub.get('/webhook-deliveries/{id}', { path: { id }, signal })))
  ])
  return { jobs, standIns, deliveries, hasMore: next !== undefined }
}
