/**
 * Failures in the last minute, of all processes together. One entry for each step of ten seconds in
 * which there were some.
 */
export type FailureCount = readonly { step: number, count: number }[]

const stepMs = 10_000
const steps = 6

/** The failures with one more. */
export function withFailure (failures: FailureCount = [], now: number): FailureCount {
  const step = Math.floor(now / stepMs)
  const lately = latelyOf(failures, now)
  const last = lately.at(-1)
  return last?.step === step
    ? [...lately.slice(0, -1), { step, count: last.count + 1 }]
    : [...lately, { step, count: 1 }]
}

/** The failures of the last minute. */
export function latelyOf (failures: FailureCount, now: number): FailureCount {
  return failures.filter(entry => entry.step > Math.floor(now / stepMs) - steps)
}

export function sumOf (failures: FailureCount): number {
  return failures.reduce((sum, { count }) => sum + count, 0)
}
