import type { ThreadTime } from './adapter-thread.ts'

const lookMs = 100
/** Longest wait, however busy the machine is. */
const longestMs = 60_000

/** How a thread spent its time: it worked, or it had nothing to do. */
export type Spent = 'working' | 'waiting'

/**
 * Waits for the work of a thread until the thread has spent `limitMs` of processor time, or
 * `limitMs` with nothing to do. On a busy machine a thread is slow but does not hang, so time in
 * which the thread waits for a processor does not count. `late` makes the error.
 */
export async function withThreadTimeLimit<Value> (
  thread: ThreadTime,
  limitMs: number,
  work: Promise<Value>,
  late: (spent: Spent) => Error
): Promise<Value> {
  // The work may fail while the thread is still asked what it has spent. Without a handler, that
  // would end the process.
  work.catch(() => undefined)
  const { promise: spent, reject } = Promise.withResolvers<never>()
  const startedAt = performance.now()
  const before = { cpuMs: await thread.cpuMs(), idleMs: thread.idleMs() }

  async function look (): Promise<void> {
    const isOver = thread.idleMs() - before.idleMs >= limitMs || performance.now() - startedAt >= longestMs
    if (isOver) reject(late('waiting'))
    // Ask last: a thread that is stuck may not answer.
    else if (await thread.cpuMs() - before.cpuMs >= limitMs) reject(late('working'))
  }

  const looking = setInterval(() => {
    look().catch(() => undefined)
  }, Math.min(lookMs, limitMs))
  try {
    return await Promise.race([work, spent])
  } finally {
    clearInterval(looking)
  }
}
