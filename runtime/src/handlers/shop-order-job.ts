import type { OpenConnection } from '../connections/open-connection.ts'
import { eventToJob } from '../events/event-to-job.ts'
import type { JobRequest } from '../jobs/job.ts'

/** An order that the hub made in a shop, and the time when the hub learned its id there. */
export interface FoundOrder {
  orderId: string
  externalId: string
  foundAt: Date
  requestId?: string | undefined
}

/**
 * Returns the job that reads an order of a shop, the same job that a webhook about the order
 * starts. Returns no job when the adapter does not have it.
 */
export function shopOrderJobs (
  { connection, adapter }: OpenConnection,
  { orderId, externalId, foundAt, ...request }: FoundOrder
): JobRequest[] {
  const at = foundAt.toISOString()
  const mapping = eventToJob({
    provider: connection.platformType,
    connectionId: connection.id,
    eventId: `found-${orderId}`,
    eventType: 'order.status_changed',
    objectType: 'order',
    externalId,
    occurredAt: at,
    publishedAt: at,
    ...request
  }, connection.webhookEvents ?? undefined)
  if (!('job' in mapping) || !Object.hasOwn(adapter.description.jobs, mapping.job.jobType)) return []
  return [{ ...mapping.job, idempotencyKey: `order-found:${orderId}` }]
}
