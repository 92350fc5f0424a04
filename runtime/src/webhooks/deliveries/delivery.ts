import type { IgnoredReason } from '../../events/event-to-job.ts'
import type { InboundMessage } from '../../events/inbound-fields.ts'
import type { KeptEvent } from '../../events/store.ts'
import type { JobRecord, JobStatus } from '../../jobs/job.ts'

/** The keys of all jobs that webhooks started begin with it. */
export const webhookKeys = 'webhook:'

/** A delivery that the hub accepted, as it is stored: nothing is redacted. */
export interface Delivery {
  id: string
  provider: string
  connectionId: string
  eventId: string
  /** Null when a program other than the hub wrote the job. */
  event: InboundMessage | null
  /** When the hub recorded the fate of the event, ISO 8601. */
  createdAt: string
  /** Why the event started no job. */
  ignored: IgnoredReason | null
  job: JobRecord | null
}

const keyPattern = /^webhook:([a-z][a-z0-9-]*):([0-9a-f-]{36}):(.+)$/i

/** The delivery that started a job, or undefined when no webhook started it. */
export function deliveryOfJob (job: JobRecord): Delivery | undefined {
  const [, provider, connectionId, eventId] = keyPattern.exec(job.idempotencyKey) ?? []
  if (provider === undefined || connectionId === undefined || eventId === undefined) return undefined
  return {
    id: job.id,
    provider,
    connectionId,
    eventId,
    event: eventOfJob(job, { provider, connectionId, eventId }),
    createdAt: job.createdAt,
    ignored: null,
    job
  }
}

export function deliveryOfIgnored ({ deliveryId, reason, event, createdAt }: KeptEvent): Delivery {
  const { provider, connectionId, eventId } = event
  return { id: deliveryId, provider, connectionId, eventId, event, createdAt, ignored: reason, job: null }
}

/** The status of its job. A job that another one stands for has the status of that one. */
export function statusOf ({ job }: Delivery): JobStatus | 'ignored' {
  return job?.status ?? 'ignored'
}

/** Any program may write a job under such a key, so the payload may be of another form. */
function eventOfJob (
  { payload, requestId }: JobRecord,
  address: Pick<Delivery, 'provider' | 'connectionId' | 'eventId'>
): InboundMessage | null {
  const { eventType, objectType, externalId, occurredAt, publishedAt } = payload
  if (
    typeof eventType !== 'string' || typeof objectType !== 'string' || typeof externalId !== 'string' ||
    typeof occurredAt !== 'string' || typeof publishedAt !== 'string'
  ) return null
  return {
    ...address,
    eventType,
    objectType,
    externalId,
    occurredAt,
    publishedAt,
    ...(requestId === null ? {} : { requestId })
  }
}
