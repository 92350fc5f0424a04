import type { Query } from '../database/database.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { getJob } from '../jobs/store.ts'
import { readReceipt, storeReceipts } from './store.ts'

/** A delivery that the gate accepted. */
export interface Receipt {
  connectionId: string
  /** ISO 8601. */
  deliveredAt: string
  eventType: string
  /** Idempotency key of the job that it started; null: the event was ignored. */
  jobKey: string | null
}

export interface LastDelivery {
  at: string
  event: string
  result: string
}

const everyMs = 500
const mostHeld = 10_000

/**
 * Keeps the last delivery of each connection: one row each, and one statement at most every half
 * second, however many deliveries there are.
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
    // No decision depends on receipts, so the hub does not retry those that it could not store.
    if (receipts.length > 0) await storeReceipts(query, receipts).catch(onError)
  }

  return {
    flush,
    record (receipt: Receipt): void {
      // Anybody may write to the stream, so the time may be in the future or no time at all.
      const deliveredMs = Math.min(Date.parse(receipt.deliveredAt), now().getTime())
      if (Number.isNaN(deliveredMs) || (held.size >= mostHeld && !held.has(receipt.connectionId))) return
      const deliveredAt = new Date(deliveredMs).toISOString()
      const last = held.get(receipt.connectionId)
      if (last === undefined || last.deliveredAt <= deliveredAt) {
        held.set(receipt.connectionId, { ...receipt, deliveredAt })
      }
      timer ??= setTimeout(flush, everyMs).unref()
    }
  }
}

/**
 * Reads the result of the last delivery: `ignored`, or the status of its job. The result is
 * `accepted` when the ledger does not have the job yet, or no longer has it.
 */
export async function readLastDelivery (query: Query, connectionId: string): Promise<LastDelivery | undefined> {
  const row = await readReceipt(query, connectionId)
  if (row === undefined) return undefined
  const { at, event, jobId } = row
  return { at, event, result: jobId === null ? 'ignored' : (await getJob(query, jobId))?.status ?? 'accepted' }
}
