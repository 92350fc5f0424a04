/** Most events of tests that the hub keeps for a connection in a minute. */
const mostInMinute = 10
const mostConnections = 10_000
const minuteMs = 60_000

/**
 * Decides which events of tests the hub keeps: the first ten of each connection in a minute. A
 * person who tests a connection finds the delivery, and a sender that tests without end fills no
 * table.
 */
export function createTestBudget (now: () => Date) {
  let minute = 0
  let counts = new Map<string, number>()

  return {
    admits (connectionId: string): boolean {
      const present = Math.floor(now().getTime() / minuteMs)
      if (present !== minute) {
        minute = present
        counts = new Map()
      }
      const count = counts.get(connectionId) ?? 0
      if (count >= mostInMinute || (count === 0 && counts.size >= mostConnections)) return false
      counts.set(connectionId, count + 1)
      return true
    }
  }
}
