import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repeating } from './align-versions.ts'

/** Reads every file of a checkout that repeats a version. */
export async function readVersionFiles (root: string): Promise<Map<string, string>> {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
  const { workspaces } = JSON.parse(await read('package.json')) as { workspaces: string[] }
  const paths = ['package.json', ...Object.values(repeating)]
  for await (const path of glob(workspaces.map(folder => `${folder}/package.json`), { cwd: root })) paths.push(path)
  return new Map(await Promise.all(paths.toSorted().map(async path => [path, await read(path)] as const)))
}
