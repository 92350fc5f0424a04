import { basename, sep } from 'node:path'

const unwatched: ReadonlySet<string> = new Set(['node_modules', 'test', 'tests', '__tests__', 'coverage'])

/**
 * Whether a path in the folder of an adapter cannot matter to its code: it belongs to other
 * packages, to tests, or to `output`, the folder that a build writes.
 */
export function isUnwatched (path: string, output: string | undefined): boolean {
  const [first, ...rest] = path.split(sep)
  return first === output || [first ?? '', ...rest].some(part => unwatched.has(part) || part.startsWith('.'))
}

/** Whether a change of this file may change the adapter or the settings of its connection. */
export function isRelevant (path: string): boolean {
  const name = basename(path)
  // A new folder has no ending, and may hold anything.
  if (!name.includes('.')) return true
  return /\.(?:[cm]?[jt]s|json|wasm)$/.test(name) && !/\.(?:test|spec|d)\.[cm]?[jt]s$/.test(name)
}
