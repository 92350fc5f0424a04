/** A row of the sender's outbox. */
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

export type NewOutboxRow = Pick<
  OutboxRow,
  'eventId' | 'eventType' | 'objectType' | 'externalId' | 'occurredAt' | 'payloadJson'
>

export interface RetryPolicy {
  maxAttempts: number
  multiplier: number
}

const stuckAfterMs = 15 * 60_000
const firstDelaySeconds = 60
const longestDelaySeconds = 21_600

/** Makes the table of events to send, with the transitions of a row. */
export function createOutbox () {
  const rows = new Map<string, OutboxRow>()
  // Delivered and failed rows stay for ever, so a run must not read the whole table.
  const unfinished = new Set<OutboxRow>()

  /**
   * Inserts a row and returns whether it is new. Like INSERT IGNORE on the unique event id, it
   * ignores a known id, also one that was delivered long ago.
   */
  function insertIgnore (row: NewOutboxRow, createdAt: Date, dueAt: Date): boolean {
    if (rows.has(row.eventId)) return false
    const added: OutboxRow = {
      id: rows.size + 1,
      ...row,
      status: 'pending',
      attempts: 0,
      nextAttemptAt: dueAt,
      lastError: undefined,
      processingStartedAt: undefined,
      createdAt,
      deliveredAt: undefined
    }
    rows.set(row.eventId, added)
    unfinished.add(added)
    return true
  }

  /**
   * Returns rows to `pending` that a run claimed and never finished. The run may have sent them, so
   * the receiver may see an event id twice.
   */
  function requeueStuck (at: Date): void {
    for (const row of unfinished) {
      const { status, processingStartedAt: startedAt = at } = row
      const isStuck = at.getTime() - startedAt.getTime() > stuckAfterMs
      if (status === 'processing' && isStuck) row.status = 'pending'
    }
  }

  /** Takes the oldest due rows for one run. Retries are early if the database clock is ahead. */
  function claim (batchSize: number, at: Date, databaseAheadSeconds: number): OutboxRow[] {
    const retriesDueAt = at.getTime() + databaseAheadSeconds * 1000
    const dueAt = ({ attempts }: OutboxRow): number => attempts === 0 ? at.getTime() : retriesDueAt
    return take(batchSize, at, row => row.nextAttemptAt.getTime() <= dueAt(row))
  }

  /** Takes the oldest row, due or not. */
  function claimOldest (at: Date): OutboxRow[] {
    return take(1, at, () => true)
  }

  function take (count: number, at: Date, isWanted: (row: OutboxRow) => boolean): OutboxRow[] {
    const wanted = [...unfinished].filter(row => row.status === 'pending' && isWanted(row))
    const batch = wanted.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id).slice(0, count)
    for (const row of batch) {
      row.status = 'processing'
      row.processingStartedAt = at
    }
    return batch
  }

  function markDelivered (row: OutboxRow, at: Date): void {
    row.status = 'delivered'
    row.deliveredAt = at
    row.lastError = undefined
    unfinished.delete(row)
  }

  function markFailed (row: OutboxRow, error: string, at: Date, { maxAttempts, multiplier }: RetryPolicy): void {
    row.lastError = error
    // The shop checks before it counts, so it sends a row once more than maxAttempts says.
    row.status = row.attempts >= maxAttempts ? 'failed' : 'pending'
    if (row.status === 'failed') unfinished.delete(row)
    const delaySeconds = Math.min(firstDelaySeconds * multiplier ** row.attempts, longestDelaySeconds)
    row.nextAttemptAt = new Date(at.getTime() + delaySeconds * 1000)
    row.attempts += 1
  }

  return {
    rows: () => [...rows.values()],
    hasUnfinished: () => unfinished.size > 0,
    insertIgnore,
    requeueStuck,
    claim,
    claimOldest,
    markDelivered,
    markFailed
  }
}

export type Outbox = ReturnType<typeof createOutbox>
