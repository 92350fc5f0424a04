import type { Test } from 'tap'
import type { Finished } from './hub-process.ts'
import { makeProject } from './project.ts'

/** Makes a project that is removed when its test ends. */
export async function openProject (t: Test, config: object = {}): Promise<string> {
  const { directory, remove } = await makeProject(config)
  t.teardown(remove)
  return directory
}

/** Asserts exit code 1 and one line on standard error that matches `message`, without a stack. */
export function refused (t: Test, { code, stdout, stderr }: Finished, message: RegExp): void {
  t.equal(code, 1, String(message))
  t.match(stderr, message)
  t.match(stderr, /^(linker|error): .*\n$/s)
  t.notMatch(stderr, /\n\s+at /)
  t.equal(stdout.replace(/^Linker starts: .*\n\n/, ''), '')
}
