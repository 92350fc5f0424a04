import type { JobRecord } from '../../jobs/job.ts'
import type { WaitsFor } from '../../jobs/schemas.ts'
import { redactProblem, type Redact } from '../../jobs/show-jobs.ts'
import { statusOf, type Delivery } from './delivery.ts'
import type { ReplaysInShort } from './replays.ts'
import type { DeliveryView, Replay } from './schemas.ts'

const dayMs = 86_400_000

/** The time after which a delivery can no longer be replayed. */
export function replayableUntil ({ createdAt }: Pick<Delivery, 'createdAt'>, keptDays: number): Date {
  return new Date(Date.parse(createdAt) + keptDays * dayMs)
}

export interface ViewOptions {
  redact: Redact
  /** Why jobs do not run yet, by their ids, without secrets. */
  waits: ReadonlyMap<string, WaitsFor>
}

/** A delivery as the API shows it, without the secrets of its connection. */
export function viewOf (
  delivery: Delivery,
  { keptDays, redact, waits, replayCount, lastReplay }: ViewOptions & ReplaysInShort & { keptDays: number }
): DeliveryView {
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
    waitsFor: waits.get(job?.id ?? '') ?? null,
    problem: redactProblem(job?.problem ?? null, redact),
    finishedAt: job?.finishedAt ?? null,
    replayCount,
    lastReplay: lastReplay === undefined ? null : replayViewOf(lastReplay, { redact, waits }),
    replayableUntil: replayableUntil(delivery, keptDays).toISOString()
  }
}

/** The job of a replay as the API shows it, without the secrets of its connection. */
export function replayViewOf (
  { id, createdAt, status, problem, finishedAt }: JobRecord,
  { redact, waits }: ViewOptions
): Replay {
  return {
    jobId: id,
    createdAt,
    status,
    waitsFor: waits.get(id) ?? null,
    problem: redactProblem(problem, redact),
    finishedAt
  }
}
