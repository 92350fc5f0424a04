import type { Database } from '../database/database.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { createBatch } from '../streams/batch.ts'
import { eventKey, type Fields } from '../streams/port.ts'
import type { IgnoredReason } from './event-to-job.ts'
import type { InboundMessage } from './inbound-fields.ts'
import { removeIgnoredBefore, removeTextsBefore, storeIgnored, vacuumIgnored, type IgnoredRow } from './store.ts'

/** An event that was accepted and started no job, with its message as it came from the stream. */
export interface IgnoredEvent {
  message: InboundMessage
  reason: IgnoredReason
  fields: Fields
}

export interface IgnoredEvents {
  /**
   * Resolves when the event is stored. An event that is stored already stays as it is. An event of
   * an unknown connection is not kept, and neither is one that its adapter does not want.
   */
  keep(event: IgnoredEvent): Promise<void>
  /** Removes texts whose time is over, and events as old as jobs that the ledger removes. */
  removeOld(): Promise<void>
}

/** As long as the ledger keeps jobs: the log of deliveries reaches as far back for both. */
const keptDays = 14
const keptBytes = 1_048_576
/**
 * Few events, because each may be a quarter of a megabyte, and the thread does nothing else while
 * it turns them into text.
 */
const mostAtOnce = 16
const vacuumEveryBytes = 16_777_216

/**
 * Keeps events that started no job in the table `ignored_events`, up to the newest 1 MiB of each
 * connection. Otherwise an event of a type that nobody knew would be lost after the hub has
 * accepted it. Keeps their texts for `textDays`, and the rest for 14 days.
 */
export function createIgnoredEvents (
  { query, mode, patiently }: Pick<Database, 'query' | 'mode' | 'patiently'>,
  textDays: number
): IgnoredEvents {
  // Nobody counted those of earlier processes, so the first event makes it vacuum.
  let bytesSinceVacuum = Number.POSITIVE_INFINITY

  const batch = createBatch<IgnoredEvent, true>({
    maxItems: mostAtOnce,
    maxRunning: 1,
    maxWaiting: 10_000,
    async run (events) {
      const rows = newestOf(events.map(rowOf))
      await storeIgnored(query, rows, keptBytes)
      bytesSinceVacuum += rows.reduce((sum, row) => sum + bytesOf(row), 0)
      return events.map(() => true)
    }
  })

  /** PGlite has no autovacuum: without this the file would grow with every event ever kept. */
  async function vacuum (): Promise<void> {
    if (mode !== 'embedded' || bytesSinceVacuum < vacuumEveryBytes) return
    const bytes = bytesSinceVacuum
    bytesSinceVacuum = 0
    await patiently(() => vacuumIgnored(query)).catch((error: unknown) => {
      bytesSinceVacuum += bytes
      throw error
    })
  }

  return {
    async keep (event) {
      if (event.reason === 'unwanted event type') return
      await batch.add(event)
      await vacuum()
    },
    async removeOld () {
      await removeTextsBefore(query, textDays)
      await removeIgnoredBefore(query, keptDays)
    }
  }
}

function rowOf ({ message, reason, fields }: IgnoredEvent): IgnoredRow {
  const { provider, connectionId, eventId, eventType } = message
  return {
    deliveryId: jobIdOf(eventKey(message)),
    provider,
    connectionId,
    eventId,
    eventType,
    reason,
    event: JSON.stringify(message),
    message: reason === 'test' ? null : JSON.stringify(fields)
  }
}

/** Leaves out the rows that later rows of the batch would remove again. */
function newestOf (rows: readonly IgnoredRow[]): IgnoredRow[] {
  const bytes = new Map<string, number>()
  return rows.toReversed().filter(row => {
    const { connectionId } = row
    const total = (bytes.get(connectionId) ?? 0) + bytesOf(row)
    bytes.set(connectionId, total)
    return total <= keptBytes
  }).toReversed()
}

function bytesOf ({ event, message }: IgnoredRow): number {
  return Buffer.byteLength(event) + Buffer.byteLength(message ?? '')
}
