import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from './project.ts'

const folders = async (): Promise<string[]> => readdir(join(repository, 'examples/demo/.linker')).catch(() => [])

/**
 * Returns a function that lists the demo folders made since this call. Older ones may belong to a
 * demo that somebody runs beside the test.
 */
export async function demosLeft (): Promise<() => Promise<string[]>> {
  const before = new Set(await folders())
  return async () => (await folders()).filter(name => !before.has(name))
}
