import { eventIdPattern } from '@linker/sdk/host/text'
import { listSummaries } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { listIgnored } from '../events/store.ts'
import { jobIdOf } from '../jobs/identity.ts'
import type { JobRecord } from '../jobs/job.ts'
import { getJobs } from '../jobs/store.ts'
import { eventKey } from '../streams/port.ts'
import { deliveryOfIgnored, deliveryOfJob, type Delivery } from '../webhooks/deliveries/delivery.ts'

const isEventId = new RegExp(eventIdPattern)

/**
 * Finds what became of an event by the id that its sender gave it. The id of a delivery, and of its
 * job, follows from the connection and that id, so the primary keys find them.
 */
export async function findByEventId (
  query: Query,
  eventId: string,
  limit: number
): Promise<{ jobs: JobRecord[], deliveries: Delivery[] }> {
  if (!isEventId.test(eventId)) return { jobs: [], deliveries: [] }
  const ids = (await listSummaries(query)).map(({ id: connectionId, platformType: provider }) =>
    jobIdOf(eventKey({ provider, connectionId, eventId }))
  )
  const [found, ignored] = await Promise.all([
    getJobs(query, ids),
    listIgnored(query, { deliveryIds: ids, limit })
  ])
  const jobs = [...found.values()].slice(0, limit)
  // An event may be in both places. Its job comes first, because it tells more.
  return { jobs, deliveries: [...jobs.flatMap(job => deliveryOfJob(job) ?? []), ...ignored.map(deliveryOfIgnored)] }
}
