import { isStorableText } from '@linker/sdk/host/text'
import type { JobRequest } from '../jobs/job.ts'
import { syncOrder } from '../orders/jobs.ts'

/** The job that reads the order of an event. An event that comes again makes no second one. */
export function eventJob (connectionId: string, externalId: string, eventId: string, requestId?: string): JobRequest {
  // An id that PostgreSQL refuses must not keep the other events of its page from being stored.
  const name = isStorableText(eventId) ? eventId : JSON.stringify(eventId)
  return syncOrder.request({ externalId }, { connectionId, key: `order-event:${connectionId}:${name}`, requestId })
}
