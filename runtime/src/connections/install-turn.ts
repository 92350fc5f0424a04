import { setTimeout as sleep } from 'node:timers/promises'
import type { Query } from '../database/database.ts'
import { WebhookInstallRunningError } from '../errors.ts'

const leaseMs = 60_000
const waitMs = 40_000
const firstLookMs = 20
const longestLookMs = 250

/**
 * Runs `action` while no other install of this connection runs, in any process. The turn is a mark
 * in the row and not a database lock: the embedded database has only one connection, and the call
 * to the platform must not hold it. The mark lapses, because the process that set it may die.
 */
export async function inTurn<Result> (
  query: Query,
  connectionId: string,
  action: () => Promise<Result>
): Promise<Result> {
  const mark = await takeTurn(query, connectionId)
  try {
    return await action()
  } finally {
    await query('update connections set installing_until = null where id = $1 and installing_until = $2::timestamptz', [
      connectionId,
      mark
    ]).catch(() => undefined)
  }
}

async function takeTurn (query: Query, connectionId: string): Promise<string> {
  const startedAt = performance.now()
  for (let pause = firstLookMs; performance.now() - startedAt < waitMs; pause = Math.min(longestLookMs, pause * 2)) {
    const [row] = await query<{ mark: string }>(
      `
      update connections
      set installing_until = clock_timestamp() + interval '1 millisecond' * $2
      where id = $1 and (installing_until is null or installing_until <= clock_timestamp())
      returning installing_until::text as mark`,
      [connectionId, leaseMs]
    )
    if (row !== undefined) return row.mark
    await sleep(pause)
  }
  throw new WebhookInstallRunningError(connectionId)
}
