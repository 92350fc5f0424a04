import type { Query } from '../database/database.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { getJob } from '../jobs/store.ts'
import { readReceipt, storeReceipts } from './store.ts'

/** A webhook delivery that the hub accepted. */
export interface Receipt {
  connectionId: string
  /** ISO 8601. */
  deliveredAt: string
  eventType: string
  /** Idempotency key of the job that the event started; null when the hub ignored the event. */
  jobKey: string | null
}

/** The last delivery of a connection, as the API shows it. */
export interface LastDelivery {
  at: string
  event: string
  result: string
}

const flushDelayMs = 500
const mostConnections = 10_000

/**
 * Stores the last delivery of each connection in one row. Collects deliveries for half a second and
 * stores them in one statement, however many there are. Collects them for 10 000 connections at
 * most: until the statement runs, it drops the deliveries of further connections.
 */
export function createReceipts ({ query, now, onError }: {
  query: Query,
  now: () => Date,
  onError(error: unknown): void
}) {
  const held = new Map<string, Receipt>()
  let timer: NodeJS.Timeout | undefined

  async function flush (): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const receipts = [...held.values()].map(({ jobKey, ...receipt }) => ({
      ...receipt,
      jobId: jobKey === null ? null : jobIdOf(jobKey)
    }))
    held.clear()
    // Do not repeat a failed statement: receipts are only shown, and no decision depends on them.
    if (receipts.length > 0) await storeReceipts(query, receipts).catch(onError)
  }

  return {
    flush,
    record (receipt: Receipt): void {
      // Any program may write to the stream, so `deliveredAt` may lie in the future or may
      // be no time at all.
      const deliveredMs = Math.min(Date.parse(receipt.deliveredAt), now().getTime())
      if (Number.isNaN(deliveredMs) || (held.size >= mostConnections && !held.has(receipt.connectionId))) return
      const deliveredAt = new Date(deliveredMs).toISOString()
      const last = held.get(receipt.connectionId)
      if (last === undefined || last.deliveredAt <= deliveredAt) {
        held.set(receipt.connectionId, { ...receipt, deliveredAt })
      }
      timer ??= setTimeout(flush, flushDelayMs).unref()
    }
  }
}

/**
 * Returns the last delivery of a connection and its result. The result is `ignored`, or the status
 * of the job that the delivery started. It is `accepted` when the ledger does not have the job yet,
 * or no longer has it.
 */
export async function readLastDelivery (query: Query, connectionId: string): Promise<LastDelivery | undefined> {
  const row = await readReceipt(query, connectionId)
  if (row === undefined) return undefined
  const { at, event, jobId } = row
  return { at, event, result: jobId === null ? 'ignored' : (await getJob(query, jobId))?.status ?? 'accepted' }
}
