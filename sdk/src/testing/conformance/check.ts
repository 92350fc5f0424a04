import type { Subject } from './subject.ts'
import type { Finding } from './finding.ts'

/**
 * What must hold before a check means anything. Without it the check is skipped, and the report
 * says why. Each includes those before it: the package can be read, its module is there, it can be
 * imported, linker.conformance.json can be read, its config and credentials pass and there is
 * something to call, the calls came to their end, and there is a secret.
 */
export type Need = 'package' | 'module' | 'import' | 'settings' | 'calls' | 'outcomes' | 'secrets'

/** One rule of the suite. Ids are stable: a retired one is never used again. */
export interface Check {
  /** `L<level>-<area>-<number>`. */
  id: string
  level: 1 | 2
  /** What a conforming adapter does. */
  title: string
  /** What went wrong somewhere without it. */
  prevents: string
  needs?: Need
  /** The experiments that it looks at, by name; `all` for every one. */
  experiments?: readonly string[] | 'all'
  /**
   * The experiment in which a call must have sent a request, or the check says nothing about it.
   */
  reaching?: string
  run(subject: Subject): Promise<Finding[]> | Finding[]
}
