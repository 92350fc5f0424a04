import { setTimeout as sleep } from 'node:timers/promises'
import type { Query } from '../database/database.ts'
import { WebhookInstallRunningError } from '../errors.ts'
import { clearInstallRunning, markInstallRunning } from './store.ts'

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
    await clearInstallRunning(query, connectionId, mark).catch(() => undefined)
  }
}

async function takeTurn (query: Query, connectionId: string): Promise<string> {
  const startedAt = performance.now()
  for (let pause = firstLookMs; performance.now() - startedAt < waitMs; pause = Math.min(longestLookMs, pause * 2)) {
    const mark = await markInstallRunning(query, connectionId, leaseMs)
    if (mark !== undefined) return mark
    await sleep(pause)
  }
  throw new WebhookInstallRunningError(connectionId)
}
