import type { HostServices } from './services.ts'

/** The most lines of one adapter version in one process. */
export const mostLinesPerMinute = 1_000

/**
 * Writes lines up to the limit of a minute. Then one line reports the limit, and the next minute
 * reports the number of lines left out.
 */
export function limitLines (write: HostServices['log'], now: () => Date): HostServices['log'] {
  let minute = 0
  let lines = 0
  return (level, fields, message) => {
    const current = Math.floor(now().getTime() / 60_000)
    if (current !== minute) {
      const leftOut = lines - mostLinesPerMinute
      minute = current
      lines = 0
      if (leftOut > 0) write('warn', { leftOut }, `the adapter wrote more than ${mostLinesPerMinute} lines in a minute`)
    }
    lines += 1
    if (lines <= mostLinesPerMinute) return write(level, fields, message)
    if (lines > mostLinesPerMinute + 1) return undefined
    const most = `${mostLinesPerMinute} lines a minute`
    return write('warn', {}, `the adapter writes more than ${most}: the rest of this one is left out`)
  }
}
