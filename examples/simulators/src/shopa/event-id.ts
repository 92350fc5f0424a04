/** Ids of test events: `test-` and what PHP's `uniqid()` makes of the clock. */
export function createTestEventId (now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000).toString(16).padStart(8, '0')
  const microseconds = (now.getMilliseconds() * 1000).toString(16).padStart(5, '0')
  return `test-${seconds}${microseconds}`
}
