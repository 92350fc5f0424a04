/** A clock that stands still until a test moves it. */
export interface TestClock {
  now(): Date
  /**
   * Moves the clock forward. Values, leases and tokens expire and deadlines pass, including those
   * in between.
   */
  advance(ms: number): void
}

export interface Alarms {
  /**
   * Runs `action` when the clock reaches the time, or at once when it has passed. Returns the
   * function that cancels it.
   */
  at(timeMs: number, action: () => void): () => void
}

export function createTestClock (start: Date): TestClock & Alarms {
  let nowMs = start.getTime()
  const alarms = new Set<{ timeMs: number, action: () => void }>()
  return {
    now: () => new Date(nowMs),
    advance (ms) {
      if (!(ms >= 0)) throw new RangeError('a clock only moves forward')
      nowMs += ms
      for (const alarm of [...alarms].sort((a, b) => a.timeMs - b.timeMs)) {
        if (alarm.timeMs <= nowMs && alarms.delete(alarm)) alarm.action()
      }
    },
    at (timeMs, action) {
      const alarm = { timeMs, action }
      if (timeMs <= nowMs) action()
      else alarms.add(alarm)
      return () => {
        alarms.delete(alarm)
      }
    }
  }
}
