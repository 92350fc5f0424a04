import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from './project.ts'

const folders = async (): Promise<string[]> => readdir(join(repository, 'examples/demo/.linker')).catch(() => [])

/**
 * Answers the folders of demos that have come since. Somebody may be running a demo beside the
 * test.
 */
export async function demosLeft (): Promise<() => Promise<string[]>> {
  const before = new Set(await folders())
  return async () => (await folders()).filter(name => !before.has(name))
}
