import type { LoggedRequest, RequestLog } from '@linker/simulators'

const lookMs = 50

/**
 * Keeps every request that matches, in the order of arrival. The log of a simulator drops the
 * oldest ones.
 */
export function recordRequests (log: RequestLog, match: Parameters<RequestLog['matching']>[0]) {
  const found = new Set<LoggedRequest>()

  function look (): void {
    for (const entry of log.matching(match)) found.add(entry)
  }

  const timer = setInterval(look, lookMs)
  return {
    entries (): LoggedRequest[] {
      look()
      return [...found]
    },
    stop () {
      clearInterval(timer)
    }
  }
}
