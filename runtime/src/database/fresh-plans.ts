import { runRegularly, type RegularRuns } from '../run-regularly.ts'

const everyMs = 60_000

/**
 * Lets an embedded database plan its prepared statements anew now and then: a plan that was made
 * for small tables is slow when they have grown. A connection to a server ends after a minute for
 * the same reason. The one to the embedded database stays.
 */
export function replanRegularly (
  query: (text: string) => Promise<unknown>,
  log: { warn(fields: object, message: string): void }
): RegularRuns {
  return runRegularly({
    run: () => query('discard plans'),
    everyMs,
    warning: 'the embedded database could not plan its statements anew; trying again',
    log
  })
}
