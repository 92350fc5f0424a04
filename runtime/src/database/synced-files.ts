import { NodeFS } from '@electric-sql/pglite/nodefs'
import { fsyncSync } from 'node:fs'

/** The operations on open files in the file system that Emscripten mounts for PGlite. */
interface NodeFiles {
  stream_ops: { fsync?(stream: { nfd: number }): number }
}

/**
 * Parameters that make PostgreSQL sync: PGlite switches syncing off with `-F`, and of the methods
 * for its log only `fsync` reaches the file system.
 */
export const syncParameters = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync']

/**
 * Keeps the files of PGlite in a directory, and syncs a file when PostgreSQL asks for it. The file
 * system of Emscripten has no `fsync`: it answers that all is written, whatever the disk did.
 */
export function openSyncedFiles (directory: string, sync: (descriptor: number) => void = fsyncSync): NodeFS {
  const files = new NodeFS(directory)
  const init = files.init.bind(files)
  files.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options)
    emscriptenOpts.preRun?.push(({ NODEFS }) => {
      addSync(NODEFS as NodeFiles, sync)
    })
    return { emscriptenOpts }
  }
  return files
}

function addSync ({ stream_ops: operations }: NodeFiles, sync: (descriptor: number) => void): void {
  operations.fsync = ({ nfd }) => {
    sync(nfd)
    return 0
  }
}
