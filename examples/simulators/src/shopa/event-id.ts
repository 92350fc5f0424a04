import { createHash } from 'node:crypto'
import type { LocalTime } from './local-time.ts'

export interface EventIdentity {
  provider: string
  connectionId: string
  eventType: string
  objectType: string
  externalId: string
}

/** One id for everything that happens to one object in one window of local time. Looks like a UUID without version bits. */
export function deriveEventId (identity: EventIdentity, occurredAt: Date, windowMinutes: number, localTime: LocalTime): string {
  const windowMs = Math.max(1, windowMinutes) * 60_000
  const start = new Date(Math.floor(occurredAt.getTime() / windowMs) * windowMs)
  const { provider, connectionId, eventType, objectType, externalId } = identity
  const text = [provider, connectionId, eventType, objectType, externalId, localTime.timestamp(start)].join('|')
  const hash = createHash('sha256').update(text).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-')
}

/** Ids of test events: `test-` and what PHP's `uniqid()` makes of the clock. */
export function createTestEventId (now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000).toString(16).padStart(8, '0')
  const microseconds = (now.getMilliseconds() * 1000).toString(16).padStart(5, '0')
  return `test-${seconds}${microseconds}`
}
