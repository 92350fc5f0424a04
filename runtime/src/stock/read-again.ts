import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JobRequest } from '../jobs/job.ts'
import { DateTime, printable } from '../text-patterns.ts'
import { readAgain } from './jobs.ts'

const FromWebhook = Type.Object({
  eventId: Type.String(),
  externalId: Type.String({ minLength: 1, maxLength: 1023, pattern: printable }),
  occurredAt: DateTime,
  publishedAt: DateTime
})

// The platform may still be working on a change when the window ends.
const graceMs = 5_000

/**
 * Returns when the window of an event is over: by the sender's clock, but at most one window after
 * the arrival of the event.
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
 * Returns the job that reads the object of a webhook a second time. Its platform sends one event
 * for all changes of an object within a window, so a change after the first reading has no event.
 * Returns no job when the first reading came after the window, and the same job for all events of
 * the object in that window.
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
  return [readAgain.request({ jobType, externalId, eventId }, {
    connectionId,
    key: `again:${connectionId}:${jobType}:${externalId}:${endMs}`,
    delayMs
  })]
}
