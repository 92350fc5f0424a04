import pTimeout from 'p-timeout'
import type { Query } from '../database/database.ts'
import type { QueueFigures } from '../observability/metrics.ts'
import { readFigures } from './store.ts'

export interface QueueFiguresOptions {
  query: Query
  nowMs: () => number
  /** How long a scrape waits for the database. */
  timeoutMs?: number
}

const defaultTimeoutMs = 2_000
const freshMs = 5_000
// The statement reads every live job, about 1.3 ms per thousand. Rest fifty times as long as it
// took: so even behind a backlog of a million it takes at most 2 % of one connection.
const restShare = 50

/**
 * Makes the function that tells how many live jobs there are. A caller that asks again soon gets
 * the same answer. The answer is undefined while the database gives none.
 */
export function createQueueFigures ({ query, nowMs, timeoutMs = defaultTimeoutMs }: QueueFiguresOptions): () => Promise<
  QueueFigures | undefined
> {
  let known: QueueFigures | undefined
  let staleAtMs = 0
  let reading: Promise<void> | undefined

  async function read (): Promise<void> {
    const startedAtMs = nowMs()
    let restMs = freshMs
    try {
      known = await readFigures(query)
      restMs = Math.max(freshMs, (nowMs() - startedAtMs) * restShare)
    } catch {
      // No long rest: a database that hung may be back at once, and the series would be missing.
      known = undefined
    }
    staleAtMs = nowMs() + restMs
  }

  return async function queueFigures () {
    if (reading === undefined && nowMs() < staleAtMs) return known
    reading ??= read().finally(() => {
      reading = undefined
    })
    return pTimeout(reading.then(() => known), { milliseconds: timeoutMs, message: false })
  }
}
