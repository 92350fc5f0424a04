import type { Test } from 'tap'
import type { Finished } from './hub-process.ts'
import { makeProject } from './project.ts'

/** A project that is removed with its test. */
export async function openProject (t: Test, config: object = {}): Promise<string> {
  const { directory, remove } = await makeProject(config)
  t.teardown(remove)
  return directory
}

/**
 * Shows that a command ended 1 with one line on standard error, of which `message` is part, and no
 * stack.
 */
export function refused (t: Test, { code, stdout, stderr }: Finished, message: RegExp): void {
  t.equal(code, 1, String(message))
  t.match(stderr, message)
  t.match(stderr, /^(linker|error): .*\n$/s)
  t.notMatch(stderr, /\n\s+at /)
  t.equal(stdout.replace(/^Linker starts: .*\n\n/, ''), '')
}
