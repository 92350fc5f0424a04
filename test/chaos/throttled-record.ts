import type { RequestBudget } from '@linker/sdk'

/** The window of a log that comes closest to the budget, or exceeds it most. */
export interface FullestWindow {
  /**
   * Requests beyond the budget. Negative: so many more would have fitted; zero: none.
   */
  excess: number
  /** Positions of its first and last request in the log. */
  from: number
  to: number
  requests: number
  /** Its length, at least one second. */
  seconds: number
}

/** Computing with fractions of a second makes errors of this size. */
const rounding = 1e-6

/**
 * Compares every window of a log with `ratePerSecond * t + burst`. Windows of less than a second
 * count as one second. The arrivals are in milliseconds, in their order. Returns undefined for an
 * empty log.
 */
export function findFullest (arrivals: readonly number[], budget: RequestBudget): FullestWindow | undefined {
  const { ratePerSecond, burst } = budget
  const secondsAt = (index: number): number => (arrivals[index] ?? 0) / 1_000
  // In a window of more than a second, `lead(to) - lead(from)` + 1 requests come too soon.
  const lead = (index: number): number => index - ratePerSecond * secondsAt(index)
  let fullest: FullestWindow | undefined
  let firstOfSecond = 0
  let least = 0

  function look (from: number, to: number): void {
    const requests = to - from + 1
    const seconds = Math.max(1, secondsAt(to) - secondsAt(from))
    const excess = Math.ceil(requests - ratePerSecond * seconds - burst - rounding)
    if (fullest === undefined || excess > fullest.excess) fullest = { excess, from, to, requests, seconds }
  }

  for (const to of arrivals.keys()) {
    // Many windows of a second or more end here. The fullest begins where the lead is least.
    while (secondsAt(to) - secondsAt(firstOfSecond) >= 1) {
      if (lead(firstOfSecond) < lead(least)) least = firstOfSecond
      firstOfSecond += 1
    }
    if (firstOfSecond > 0) look(least, to)
    look(firstOfSecond, to)
  }
  return fullest
}
