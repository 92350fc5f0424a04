import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DateTime, printable } from '../text-patterns.ts'
import type { JobRequest } from '../jobs/job.ts'

const FromWebhook = Type.Object({
  eventId: Type.String(),
  externalId: Type.String({ minLength: 1, maxLength: 1023, pattern: printable }),
  occurredAt: DateTime,
  publishedAt: DateTime
})

// What the platform still does for a change when the window ends.
const graceMs = 5_000

/**
 * When the window of an event is over: counted by the sender's clock, but never further from its
 * arrival than a window is long.
 */
export function endOfWindow (
  { occurredAt, publishedAt }: { occurredAt: string, publishedAt: string },
  windowMs: number
): number {
  const [occurredMs, publishedMs] = [Date.parse(occurredAt), Date.parse(publishedAt)]
  const latest = publishedMs + windowMs
  return Number.isNaN(occurredMs) ? latest : Math.min((Math.floor(occurredMs / windowMs) + 1) * windowMs, latest)
}

/**
 * A second reading of what a webhook announced. Its platform gives changes of one object within a
 * window one event, so what changed after the first reading has none. Nothing when the first
 * reading came after the window; one for all events of the object in that window.
 */
export function readAgainJobs (
  job: { jobType: string, connectionId: string, payload: Readonly<Record<string, unknown>> },
  windowMs: number | undefined,
  readAtMs: number
): JobRequest[] {
  const { jobType, connectionId, payload } = job
  if (windowMs === undefined || !Value.Check(FromWebhook, payload)) return []
  const endMs = endOfWindow(payload, windowMs)
  const delayMs = endMs + graceMs - readAtMs
  if (!(delayMs > 0)) return []
  const { externalId, eventId } = payload
  return [{
    jobType: 'inventory.readAgain',
    connectionId,
    payload: { jobType, externalId, eventId },
    idempotencyKey: `again:${connectionId}:${jobType}:${externalId}:${endMs}`,
    delayMs
  }]
}
