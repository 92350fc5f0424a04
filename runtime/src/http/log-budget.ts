/** Decides which log lines are written. */
export interface LogBudget {
  /**
   * Decides whether a line about `key` may be written now. `heldBack` counts the lines about this
   * key that were held back after its last written line. The count reaches the log only with the
   * next written line: when no further line comes, nobody sees it. Every key stays in memory until
   * the process ends, so a key must come from a small fixed set, for example status codes.
   */
  take(key: string): { isAllowed: boolean, heldBack: number }
}

const windowMs = 1_000

/**
 * Allows `perSecond` lines a second for each key, so that a flood of forged requests does not flood
 * the log. A second begins with the first line after the second before it.
 */
export function createLogBudget ({ perSecond, nowMs }: { perSecond: number, nowMs: () => number }): LogBudget {
  const windows = new Map<string, { startedAt: number, lines: number, heldBack: number }>()
  return {
    take (key) {
      const window = windows.get(key) ?? { startedAt: nowMs(), lines: 0, heldBack: 0 }
      windows.set(key, window)
      if (nowMs() - window.startedAt >= windowMs) {
        window.startedAt = nowMs()
        window.lines = 0
      }
      if (window.lines >= perSecond) {
        window.heldBack += 1
        return { isAllowed: false, heldBack: window.heldBack }
      }
      const { heldBack } = window
      window.lines += 1
      window.heldBack = 0
      return { isAllowed: true, heldBack }
    }
  }
}
