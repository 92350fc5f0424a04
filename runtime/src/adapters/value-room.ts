import { mostConnectionBytes, valueBytes } from '@linker/sdk/host'
import type { Query } from '../database/database.ts'

/** How much the values of each connection take, as far as this process knows. */
export interface ValueRoom {
  /** Whether so many bytes more may be stored. */
  has(connectionId: string, bytes: number): Promise<boolean>
  /** Told what was stored more, or less. */
  add(connectionId: string, bytes: number): void
}

interface Known {
  bytes: number
  added: number
  measuredAt: number
}

/**
 * Other processes write too, and values expire: what is known is looked up again after that much
 * was written, or that time.
 */
const mostUnmeasuredBytes = 4 * 1024 * 1024
const longestKnownMs = 60_000
/** A connection that is full is not looked at with every value that it is refused. */
const shortestFullMs = 5_000
const mostRemembered = 10_000

/**
 * Keeps count of the bytes that connections store. Asking the database at every write would cost
 * more than the write.
 */
export function createValueRoom (query: Query, nowMs: () => number = () => performance.now()): ValueRoom {
  const known = new Map<string, Known>()

  async function measure (connectionId: string): Promise<Known> {
    const [row] = await query<{ bytes: number }>(
      `
      select coalesce(sum(octet_length(key) + octet_length(value::text) + ${valueBytes('', '')}), 0)::float8 as bytes
      from connection_values
      where connection_id = $1 and (expires_at is null or expires_at > now())`,
      [connectionId]
    )
    if (known.size >= mostRemembered) known.clear()
    const measured = { bytes: row?.bytes ?? 0, added: 0, measuredAt: nowMs() }
    known.set(connectionId, measured)
    return measured
  }

  return {
    async has (connectionId, bytes) {
      const found = known.get(connectionId) ?? await measure(connectionId)
      const age = nowMs() - found.measuredAt
      const isFull = found.bytes + bytes > mostConnectionBytes
      const isStale = isFull ? age > shortestFullMs : found.added > mostUnmeasuredBytes || age > longestKnownMs
      const { bytes: stored } = isStale ? await measure(connectionId) : found
      return stored + bytes <= mostConnectionBytes
    },
    add (connectionId, bytes) {
      const found = known.get(connectionId)
      if (found === undefined) return
      found.bytes += bytes
      found.added += Math.abs(bytes)
    }
  }
}
