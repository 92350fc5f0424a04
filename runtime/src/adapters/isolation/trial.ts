import { withFairTimeLimit } from './fair-time-limit.ts'
import type { ImportReport } from './protocol.ts'
import { startTrial } from './thread.ts'

/** The report on the import of each module, by the URL of the module. */
export type Reports = ReadonlyMap<string, ImportReport>

/**
 * Imports modules, by their `file:` URLs, in one thread that ends then, and answers what each did.
 * A thread of its own for each would load the SDK as many times. Answers nothing when one of them
 * fails, replaces globals, or takes longer than `limitMs`: what the others did then is not known to
 * be their own, and each has to be tried alone.
 */
export async function tryTogether (entries: readonly string[], limitMs: number): Promise<Reports> {
  const thread = startTrial(entries)
  try {
    const outcome = await withFairTimeLimit(thread, limitMs, thread.reports, () => new Error('late'))
    if ('error' in outcome || outcome.value.some(({ patched }) => patched.length > 0)) return new Map()
    return new Map(outcome.value.map((report, index) => [entries[index] ?? '', report]))
  } catch {
    // It ended or is late. The module that is to blame is named when it is tried alone.
    return new Map()
  } finally {
    await thread.end('closed')
  }
}
