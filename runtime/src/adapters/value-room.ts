import { mostConnectionBytes } from '@linker/sdk/host'
import type { Query } from '../database/database.ts'
import { readConnectionBytes } from './store.ts'

/** Counts the bytes of each connection's values, as far as this process knows. */
export interface ValueRoom {
  /** Whether the connection may store this many more bytes. */
  has(connectionId: string, bytes: number): Promise<boolean>
  /** Call it with the bytes that a write added; negative when the write removed some. */
  add(connectionId: string, bytes: number): void
}

interface Known {
  bytes: number
  added: number
  measuredAt: number
}

/**
 * Other processes write too, and values expire. So the hub measures a connection again after it has
 * written this many bytes, or after `longestKnownMs`.
 */
const mostUnmeasuredBytes = 4 * 1024 * 1024
const longestKnownMs = 60_000
/**
 * The hub measures a full connection at most once in this time, not with every value that it
 * refuses.
 */
const shortestFullMs = 5_000
const mostRemembered = 10_000

/**
 * Keeps count of the bytes that connections store. Asking the database at every write would cost
 * more than the write.
 */
export function createValueRoom (query: Query, nowMs: () => number = () => performance.now()): ValueRoom {
  const known = new Map<string, Known>()

  async function measure (connectionId: string): Promise<Known> {
    const bytes = await readConnectionBytes(query, connectionId)
    if (known.size >= mostRemembered) known.clear()
    const measured = { bytes, added: 0, measuredAt: nowMs() }
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
