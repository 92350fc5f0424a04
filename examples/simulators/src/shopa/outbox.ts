/** A row of the sender's table. */
export interface OutboxRow {
  id: number
  eventId: string
  eventType: string
  objectType: string
  externalId: string
  /** ISO 8601 with the offset of the shop's zone, to the second. */
  occurredAt: string
  payloadJson: string | undefined
  status: 'pending' | 'processing' | 'delivered' | 'failed'
  attempts: number
  nextAttemptAt: Date
  lastError: string | undefined
  processingStartedAt: Date | undefined
  createdAt: Date
  deliveredAt: Date | undefined
}

export type NewOutboxRow = Pick<OutboxRow, 'eventId' | 'eventType' | 'objectType' | 'externalId' | 'occurredAt' | 'payloadJson'>

export interface RetryPolicy { maxAttempts: number, multiplier: number }

const stuckAfterMs = 15 * 60_000
const firstDelaySeconds = 60
const longestDelaySeconds = 21_600

/** The table of events to send, with the transitions of a row. */
export function createOutbox (now: () => Date) {
  const rows = new Map<string, OutboxRow>()

  /** Whether the row is new: like INSERT IGNORE on the unique event id, a repeated id changes nothing, even when it was delivered long ago. */
  function insertIgnore (row: NewOutboxRow): boolean {
    if (rows.has(row.eventId)) return false
    rows.set(row.eventId, {
      id: rows.size + 1,
      ...row,
      status: 'pending',
      attempts: 0,
      nextAttemptAt: now(),
      lastError: undefined,
      processingStartedAt: undefined,
      createdAt: now(),
      deliveredAt: undefined
    })
    return true
  }

  /** Gives rows back that a run claimed and never finished. They may have been sent: the receiver sees the event id again. */
  function requeueStuck (): void {
    for (const row of rows.values()) {
      const startedAt = row.processingStartedAt
      if (row.status === 'processing' && startedAt !== undefined && now().getTime() - startedAt.getTime() > stuckAfterMs) row.status = 'pending'
    }
  }

  /** Takes the oldest due rows for one run. */
  function claim (batchSize: number): OutboxRow[] {
    const due = [...rows.values()].filter(({ status, nextAttemptAt }) => status === 'pending' && nextAttemptAt <= now())
    const batch = due.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id).slice(0, batchSize)
    for (const row of batch) {
      row.status = 'processing'
      row.processingStartedAt = now()
    }
    return batch
  }

  function markDelivered (row: OutboxRow): void {
    row.status = 'delivered'
    row.deliveredAt = now()
    row.lastError = undefined
  }

  function markFailed (row: OutboxRow, error: string, { maxAttempts, multiplier }: RetryPolicy): void {
    row.lastError = error
    // The check precedes the increment, so a row is sent once more than maxAttempts says.
    row.status = row.attempts >= maxAttempts ? 'failed' : 'pending'
    const delaySeconds = Math.min(firstDelaySeconds * multiplier ** row.attempts, longestDelaySeconds)
    row.nextAttemptAt = new Date(now().getTime() + delaySeconds * 1000)
    row.attempts += 1
  }

  return { rows: () => [...rows.values()], insertIgnore, requeueStuck, claim, markDelivered, markFailed }
}

export type Outbox = ReturnType<typeof createOutbox>
