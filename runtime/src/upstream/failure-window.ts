/** Counts the requests of one connection that this process sent in the last minute. */
export interface FailureWindow {
  count(isFailure: boolean, now: number): void
  /** Whether at least half of the requests failed. */
  failsByHalf(now: number): boolean
  /**
   * Requests per second over the last 10 to 20 s. After an idle time it counts from the first
   * request on, as the platform sees them. Fewer than ten requests are spread over the whole time.
   */
  ratePerSecond(now: number): number
}

const stepMs = 10_000
const steps = 6
const leastForRate = 10
const leastSpanMs = 1_000

interface Step {
  /** The number of the step since 1970. */
  index: number
  firstAt: number
  all: number
  failed: number
}

export function createFailureWindow (): FailureWindow {
  let window: Step[] = []
  const indexOf = (now: number): number => Math.floor(now / stepMs)
  const since = (now: number, count: number): Step[] => window.filter(({ index }) => index > indexOf(now) - count)

  return {
    count (isFailure, now) {
      const index = indexOf(now)
      const last = window.at(-1)
      const step = last?.index === index ? last : { index, firstAt: now, all: 0, failed: 0 }
      if (step !== last) window = [...since(now, steps - 1), step]
      step.all += 1
      if (isFailure) step.failed += 1
    },
    failsByHalf (now) {
      return sum(since(now, steps), 'failed') * 2 >= sum(since(now, steps), 'all')
    },
    ratePerSecond (now) {
      const lately = since(now, 2)
      const all = sum(lately, 'all')
      const wholeMs = now - (indexOf(now) - 1) * stepMs
      const spanMs = Math.max(leastSpanMs, now - (lately[0]?.firstAt ?? now))
      return all / ((all < leastForRate ? wholeMs : spanMs) / 1_000)
    }
  }
}

function sum (steps: readonly Step[], member: 'all' | 'failed'): number {
  return steps.reduce((total, step) => total + step[member], 0)
}
