import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shellWord } from '../words.ts'
import type { AdapterPackage } from './discover.ts'

/** A folder whose files are newer than the code that serves. */
export interface FolderChange {
  message: string
  remedy: string
}

/** Files of a folder at one time. Only when a time or a size differs are the contents compared. */
interface FilesState {
  stamp: string
  digest: string
}

const codeNames = /\.(?:[cm]?[jt]s|json|wasm)$/
const otherNames = /\.(?:test|spec|d)\.[cm]?[jt]s$/
const left: ReadonlySet<string> = new Set(['node_modules', 'test', 'tests', '__tests__', 'coverage'])
const builtFolders: ReadonlySet<string> = new Set(['dist', 'lib', 'build', 'out'])

/**
 * Remembers the code in a folder that linker.config.json names by its path, and returns a function
 * that says whether it has changed since. An author changes such a folder without an installation,
 * so nothing else would show that the hub serves older code.
 */
export async function rememberFolder (
  { directory }: Pick<AdapterPackage, 'directory'>,
  entry: string
): Promise<() => Promise<FolderChange | undefined>> {
  const root = await realpath(directory)
  const [folder = '', ...rest] = relative(root, fileURLToPath(entry)).split(sep)
  const place = rest.length === 0 || folder === '..' ? '' : folder
  const listRun = async (): Promise<string[]> => ['package.json', ...await listCode(root, place)]
  const listSources = async (): Promise<string[]> => builtFolders.has(place) ? listCode(root, 'src') : []
  const [run, sources] = [await readState(root, await listRun()), await readState(root, await listSources())]

  return async () => {
    if (await hasChanged(root, await listRun(), run)) {
      return { message: 'its folder has changed since this hub loaded it', remedy: 'restart the hub' }
    }
    if (await hasChanged(root, await listSources(), sources)) {
      return {
        message: 'its sources have changed since this hub loaded it',
        remedy: `cd ${shellWord(directory)} && npm run build, then restart the hub`
      }
    }
    return undefined
  }
}

/** The files below a folder that may be code, by their paths below `root`. */
async function listCode (root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(entries.map(async entry => {
    const path = join(folder, entry.name)
    if (entry.isFile()) return codeNames.test(entry.name) && !otherNames.test(entry.name) ? [path] : []
    return entry.isDirectory() && !left.has(entry.name) && !entry.name.startsWith('.') ? listCode(root, path) : []
  }))
  return [...new Set(found.flat())].toSorted()
}

async function readState (root: string, paths: readonly string[]): Promise<FilesState> {
  return { stamp: await stampOf(root, paths), digest: await digestOf(root, paths) }
}

async function hasChanged (root: string, paths: readonly string[], { stamp, digest }: FilesState): Promise<boolean> {
  return await stampOf(root, paths) !== stamp && await digestOf(root, paths) !== digest
}

async function stampOf (root: string, paths: readonly string[]): Promise<string> {
  const stamps = await Promise.all(paths.map(async path => {
    const found = await stat(join(root, path)).catch(() => undefined)
    return `${path}\0${found?.mtimeMs}\0${found?.size}`
  }))
  return stamps.join('\0')
}

async function digestOf (root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const contents = await Promise.all(paths.map(path => readFile(join(root, path)).catch(() => Buffer.alloc(0))))
  for (const [index, content] of contents.entries()) {
    hash.update(`${paths[index] ?? ''}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
