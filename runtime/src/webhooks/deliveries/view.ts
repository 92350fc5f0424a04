import { redactProblem, type Redact } from '../../jobs/show-jobs.ts'
import { statusOf, type Delivery } from './delivery.ts'
import type { DeliveryView } from './schemas.ts'

const dayMs = 86_400_000

/** The time after which a delivery can no longer be replayed. */
export function replayableUntil ({ createdAt }: Pick<Delivery, 'createdAt'>, keptDays: number): Date {
  return new Date(Date.parse(createdAt) + keptDays * dayMs)
}

/** A delivery as the API shows it, without the secrets of its connection. */
export function viewOf (delivery: Delivery, keptDays: number, redact: Redact): DeliveryView {
  const { id, createdAt, provider, connectionId, event, ignored, job } = delivery
  const text = (value: string | undefined): string | null => value === undefined ? null : String(redact(value))
  return {
    id,
    createdAt,
    acceptedAt: event?.publishedAt ?? null,
    provider,
    connectionId,
    eventId: String(redact(delivery.eventId)),
    eventType: text(event?.eventType),
    objectType: text(event?.objectType),
    externalId: text(event?.externalId),
    occurredAt: event?.occurredAt ?? null,
    requestId: event?.requestId ?? null,
    status: statusOf(delivery),
    ignored,
    jobId: job?.id ?? null,
    jobType: job?.jobType ?? null,
    problem: redactProblem(job?.problem ?? null, redact),
    finishedAt: job?.finishedAt ?? null,
    replayableUntil: replayableUntil(delivery, keptDays).toISOString()
  }
}
