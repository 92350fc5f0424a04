import { watch, type FSWatcher } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface WatchOptions {
  /** Whether a file or folder is left out, by its path below the watched folder. */
  ignores(path: string): boolean
  /** Called once for changes that come together. `atMs`: `performance.now()` at the first one. */
  onChange(paths: readonly string[], atMs: number): void
}

export interface FolderWatch {
  close(): void
}

/** An editor empties a file before it writes: a load in between would read half of it. */
const quietMs = 15
/** A program that writes without a pause must not hold back the changes for ever. */
const longestMs = 150

/**
 * Watches a folder and the folders in it, each with a watcher of its own: `fs.watch` of Node looks
 * into every folder when it is recursive, `node_modules` included, and loses files on Linux that an
 * editor replaces.
 */
export async function watchFolder (root: string, { ignores, onChange }: WatchOptions): Promise<FolderWatch> {
  const watchers = new Map<string, FSWatcher>()
  const changes = gather(onChange)
  let isClosed = false

  async function add (folder: string): Promise<void> {
    if (isClosed || watchers.has(folder)) return
    const watcher = watch(join(root, folder), (event, name) => {
      if (name === null) return changes.note(folder)
      const path = folder === '' ? name : join(folder, name)
      if (ignores(path)) return
      changes.note(path)
      if (event === 'rename') follow(path).catch(() => undefined)
    })
    watcher.on('error', () => {
      drop(folder)
    })
    watchers.set(folder, watcher)
    const entries = await readdir(join(root, folder), { withFileTypes: true })
    const folders = entries.filter(entry => entry.isDirectory())
      .map(({ name }) => folder === '' ? name : join(folder, name))
    await Promise.all(folders.filter(path => !ignores(path)).map(add))
  }

  /** A new folder may have got its files before somebody watched it. */
  async function follow (path: string): Promise<void> {
    const found = await stat(join(root, path)).catch(() => undefined)
    if (found === undefined) return drop(path)
    if (!found.isDirectory()) return
    // A folder of the same name may have been there before.
    drop(path)
    await add(path)
    changes.note(path)
  }

  function drop (path: string): void {
    for (const [folder, watcher] of watchers) {
      if (folder !== path && !folder.startsWith(path + sep)) continue
      watcher.close()
      watchers.delete(folder)
    }
  }

  await add('')
  return {
    close () {
      isClosed = true
      changes.close()
      for (const watcher of watchers.values()) watcher.close()
    }
  }
}

/** Calls back when no change has come for a moment. */
function gather (onChange: WatchOptions['onChange']) {
  const paths = new Set<string>()
  let firstMs = 0
  let timer: NodeJS.Timeout | undefined

  function tell (): void {
    const changed = [...paths]
    paths.clear()
    timer = undefined
    onChange(changed, firstMs)
  }

  return {
    note (path: string) {
      const nowMs = performance.now()
      if (paths.size === 0) firstMs = nowMs
      paths.add(path)
      clearTimeout(timer)
      timer = setTimeout(tell, Math.min(quietMs, Math.max(0, firstMs + longestMs - nowMs)))
    },
    close () {
      clearTimeout(timer)
    }
  }
}
