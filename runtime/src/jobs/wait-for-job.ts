import { setTimeout as sleep } from 'node:timers/promises'
import type { Query } from '../database/database.ts'
import type { JobRecord } from './job.ts'
import { getJob } from './store.ts'

const firstLookMs = 25
const longestLookMs = 500

/** Waits until a job has ended, for `milliseconds` at most, and returns it as it is then. */
export async function waitForJob (
  query: Query,
  id: string,
  milliseconds: number,
  signal: AbortSignal
): Promise<JobRecord | undefined> {
  let left = milliseconds
  for (let pause = firstLookMs;; pause = Math.min(longestLookMs, pause * 2)) {
    const record = await getJob(query, id)
    if (record === undefined || record.finishedAt !== null || left <= 0 || signal.aborted) return record
    const step = Math.min(pause, left)
    left -= step
    await sleep(step, undefined, { signal }).catch(() => undefined)
  }
}
