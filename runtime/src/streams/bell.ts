import type { Database } from '../database/database.ts'

export interface Bell {
  /**
   * Forgets earlier rings. Call it before looking for messages: a message that arrives during the
   * look then still wakes the reader.
   */
  reset(): void
  /**
   * Resolves at the next ring, at once when the bell rang since `reset`, at the latest after `ms`.
   */
  rung(ms: number): Promise<void>
  close(): void
}

/** Rings when any process publishes something, and when the signal aborts. */
export function createBell (database: Pick<Database, 'listen'>, signal: AbortSignal): Bell {
  let hasRung = signal.aborted
  let wake: (() => void) | undefined

  function ring (): void {
    hasRung = true
    wake?.()
  }

  const stopListening = database.listen('streams', ring)
  signal.addEventListener('abort', ring)
  return {
    reset () {
      hasRung = signal.aborted
    },
    async rung (ms) {
      if (hasRung) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
    },
    close () {
      stopListening()
      signal.removeEventListener('abort', ring)
    }
  }
}

const quietMs = 5

/**
 * Rings at once, but under load only once in 5 ms: each ring costs a statement that wakes the other
 * processes.
 */
export function createBellRinger (notify: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let isDue = false

  function ring (): void {
    if (timer !== undefined) {
      isDue = true
      return
    }
    notify()
    timer = setTimeout(() => {
      timer = undefined
      if (!isDue) return
      isDue = false
      ring()
    }, quietMs)
    timer.unref()
  }

  return ring
}
