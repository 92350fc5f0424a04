import type { Database } from '../database/database.ts'

export interface Bell {
  /**
   * Forgets what rang so far. To be called before looking, so that what comes while looking still
   * counts.
   */
  reset(): void
  /** Resolves at the next ring, at once when it rang since `reset`, at the latest after `ms`. */
  rung(ms: number): Promise<void>
  close(): void
}

/** Rings when something was published, in any process, and when the signal aborts. */
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
 * Rings at once, and under load once for all the rings of 5 ms: to other processes each is a
 * statement.
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
