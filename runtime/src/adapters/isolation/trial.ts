import { withThreadTimeLimit } from '@linker/sdk/host'
import type { ImportReport } from './protocol.ts'
import { startTrial } from './thread.ts'

/** The report on the import of each module, by the URL of the module. */
export type Reports = ReadonlyMap<string, ImportReport>

/**
 * Imports modules, by their `file:` URLs, in one thread that then ends, and returns a report on
 * each. With a thread for each module, every thread would load the SDK again. Returns no reports
 * when a module fails, when a module replaces globals, or when the imports take longer than
 * `limitMs`: nobody knows then which module did it, and the hub has to try each module alone.
 */
export async function tryTogether (entries: readonly string[], limitMs: number): Promise<Reports> {
  const thread = startTrial(entries)
  try {
    const outcome = await withThreadTimeLimit(thread, limitMs, thread.reports, () => new Error('late'))
    if ('error' in outcome || outcome.value.some(({ patched }) => patched.length > 0)) return new Map()
    return new Map(outcome.value.map((report, index) => [entries[index] ?? '', report]))
  } catch {
    // The thread ended or is late. The hub names the module to blame when it tries each module
    // alone.
    return new Map()
  } finally {
    await thread.end('closed')
  }
}
