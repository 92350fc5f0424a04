export interface LogBudget {
  /**
   * Whether a line about `key` may be written now, and how many were held back since the last one.
   * Keys must be few: each is remembered.
   */
  take(key: string): { isAllowed: boolean, heldBack: number }
}

const windowMs = 1_000

/**
 * Lets `perSecond` lines through for each key, so that a flood of forged requests does not become a
 * flood of lines.
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
