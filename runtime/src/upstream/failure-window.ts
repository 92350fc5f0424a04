/** Counts the requests of one connection that this process sent in the last minute. */
export interface FailureWindow {
  count(isFailure: boolean, now: number): void
  /** Whether at least ten requests failed, and these are at least half of all. */
  isBroken(now: number): boolean
  /** Requests per second over the last 10 to 20 s. */
  ratePerSecond(now: number): number
  clear(): void
}

const stepMs = 10_000
const steps = 6
const leastFailures = 10

interface Step {
  /** The number of the step since 1970. */
  index: number
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
      const step = last?.index === index ? last : { index, all: 0, failed: 0 }
      if (step !== last) window = [...since(now, steps - 1), step]
      step.all += 1
      if (isFailure) step.failed += 1
    },
    isBroken (now) {
      const all = sum(since(now, steps), 'all')
      const failed = sum(since(now, steps), 'failed')
      return failed >= leastFailures && failed * 2 >= all
    },
    ratePerSecond (now) {
      const elapsedMs = now - (indexOf(now) - 1) * stepMs
      return sum(since(now, 2), 'all') / (elapsedMs / 1_000)
    },
    clear () {
      window = []
    }
  }
}

function sum (steps: readonly Step[], member: 'all' | 'failed'): number {
  return steps.reduce((total, step) => total + step[member], 0)
}
