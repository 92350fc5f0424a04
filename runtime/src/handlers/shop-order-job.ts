import type { OpenConnection } from '../connections/open-connection.ts'
import { eventToJob } from '../events/event-to-job.ts'
import type { JobRequest } from '../jobs/job.ts'

/** An order that the hub made in a shop, and when it learned that it is there. */
export interface FoundOrder {
  orderId: string
  externalId: string
  foundAt: Date
  requestId?: string | undefined
}

/**
 * The job that reads an order of a shop, the one that a webhook about it leads to. None when the
 * adapter has no such job.
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
