/** Makes the id of a test event: `test-` and the value that PHP's `uniqid()` has at that time. */
export function createTestEventId (now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000).toString(16).padStart(8, '0')
  const microseconds = (now.getMilliseconds() * 1000).toString(16).padStart(5, '0')
  return `test-${seconds}${microseconds}`
}
