import { setTimeout as sleep } from 'node:timers/promises'

const turnMs = 50

/**
 * Waits for `milliseconds` in which this thread's event loop turned, or until the signal. While the
 * machine stands still, nothing counts as late.
 */
export async function turningTime (milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let turn = 0; turn < Math.ceil(milliseconds / turnMs); turn += 1) await sleep(turnMs, undefined, { signal })
}

/** Whether `work` settles, one way or the other, within that time. */
export async function settlesWithin (milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  try {
    return await Promise.race([
      work.then(() => true, () => true),
      turningTime(milliseconds, over.signal).then(() => false)
    ])
  } finally {
    over.abort()
  }
}
