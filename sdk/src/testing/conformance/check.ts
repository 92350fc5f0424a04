import type { Evidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import type { FaultKind } from './fixtures/fault.ts'
import type { Subject } from './subject.ts'

/**
 * The precondition of a check. If it does not hold, the suite skips the check and reports the
 * reason. Each one includes those before it: the package can be read, its module exists, the module
 * can be imported, linker.conformance.json can be read, its config and credentials pass and there
 * is something to call, the calls came to their end, and there is a secret. `authorisation`
 * includes those up to the import: the adapter declares one. `verification` includes those up to
 * the settings: the adapter declares how webhooks are verified. `events` and `challenges` include
 * the same: it declares where deliveries hold their events, or how the platform checks the address.
 * `fixtures` includes those up to something to call: there are recorded calls.
 */
export type Need =
  | 'package'
  | 'module'
  | 'import'
  | 'authorisation'
  | 'settings'
  | 'verification'
  | 'events'
  | 'challenges'
  | 'fixtures'
  | 'calls'
  | 'outcomes'
  | 'secrets'

/** One rule of the suite. Ids are stable: the suite never reuses a retired one. */
export interface Check {
  /** `L<level>-<area>-<number>`. */
  id: string
  level: 1 | 2 | 3
  /** The behaviour of a conforming adapter. */
  title: string
  /** The failure that happened somewhere without this check. */
  prevents: string
  needs?: Need
  /** The names of the experiments that the check uses; `all` for every one. */
  experiments?: readonly string[] | 'all'
  /**
   * Says what there was to judge. If there was nothing and `run` found no fault, the suite skips
   * the check.
   */
  evidence?(subject: Subject): Promise<Evidence>
  /** With `fixtures`: the fault that one of them must be able to have. */
  fault?: FaultKind
  /** With `fixtures`: one of them must be a write that is recorded twice. */
  second?: true
  /** With `fixtures`: one of them must be a write that another one replaces while it is open. */
  whileOpen?: true
  /** With `fixtures`: one of them must be this call, recorded twice. */
  repeated?: string
  run(subject: Subject): Promise<Finding[]> | Finding[]
  /** Says what is allowed, but makes life harder for operators. It never fails the check. */
  warn?(subject: Subject): Promise<Finding[]>
}
