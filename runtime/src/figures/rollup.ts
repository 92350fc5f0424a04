import { createCounting, sumOf, type Counting } from './counting.ts'
import type { NewFigure } from './store.ts'

export interface RollupOptions {
  /** Stores all rows or none. */
  store(rows: readonly NewFigure[]): Promise<void>
  now: () => Date
  onError(error: unknown): void
}

/** Counts in memory, and stores the counts once a minute. */
export interface Rollup extends Pick<Counting, 'count' | 'upstream' | 'ran' | 'stockWritten' | 'refused'> {
  /** Stores what was counted since the last time. Never fails. */
  flush(): Promise<void>
}

const minuteMs = 60_000

/**
 * Stores at the end of each minute in which something was counted: one row for each connection, and
 * one with the sum. Counts that cannot be stored are added to those of a later minute.
 */
export function createRollup ({ store, now, onError }: RollupOptions): Rollup {
  let timer: NodeJS.Timeout | undefined
  let beganMs = 0
  let flushing = Promise.resolve()

  const counting = createCounting({
    onFirst () {
      const nowMs = now().getTime()
      const sinceMs = nowMs % minuteMs
      beganMs = nowMs - sinceMs
      timer = setTimeout(flush, minuteMs - sinceMs).unref()
    }
  })

  function flush (): Promise<void> {
    clearTimeout(timer)
    const counted = counting.take()
    if (counted.length === 0) return flushing
    const beginsAt = new Date(beganMs).toISOString()
    const ofConnections = counted.filter(({ connectionId }) => connectionId !== null)
    const rows = [...ofConnections, sumOf(counted)].map(row => ({ ...row, beginsAt }))
    flushing = flushing.then(() => store(rows)).catch((error: unknown) => {
      onError(error)
      counting.giveBack(counted)
    })
    return flushing
  }

  return { ...counting, flush }
}
