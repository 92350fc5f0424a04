import { execFileSync } from 'node:child_process'
import type { Test } from 'tap'

/**
 * Whether a program is installed. Skips the assertion when it is not, and fails it where
 * `LINKER_TEST_REQUIRE_SERVERS` is 1, so that no run leaves a language out silently.
 */
export function hasProgram (t: Test, name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    if (process.env.LINKER_TEST_REQUIRE_SERVERS === '1') t.fail(`${name} is not installed`)
    else t.pass(name, { skip: `${name} is not installed` })
    return false
  }
}
