import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openSyncedFiles, syncParameters } from './synced-files.ts'
import { withLightCompiler } from './wasm-compiler.ts'

/** The parent passes this in `workerData`: a socket path, or a loopback port (0 for any). */
export interface EmbeddedServerOptions {
  databaseDirectory: string
  /** Whether the files are in memory, and `databaseDirectory` is not used. */
  isInMemory: boolean
  /** Whether each commit waits for the disk. */
  syncsFiles: boolean
  /** An archive of a database without rows, which a new directory starts from. */
  archive?: string | undefined
  socketPath?: string
  port?: number
  maxConnections: number
}

/** Messages to the parent. */
export type EmbeddedServerMessage = { type: 'ready', address: string } | { type: 'failed', message: string } | {
  type: 'closed'
}

// The default of 128 MB would stay in memory for good, and the operating system caches the files.
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

const options = workerData as EmbeddedServerOptions

async function open ({ databaseDirectory: directory, isInMemory, archive, syncsFiles }: EmbeddedServerOptions): Promise<
  PGlite
> {
  if (isInMemory) {
    const { openMemoryFiles } = await import('./memory-files.ts')
    return PGlite.create({ fs: await openMemoryFiles(archive), startParams })
  }
  if (!existsSync(directory)) {
    // Rename the directory when it is complete: a process that is killed during the initialisation
    // must not leave a directory that looks like a database.
    const draft = `${directory}.new`
    await rm(draft, { recursive: true, force: true })
    if (archive === undefined) await initialise(draft)
    else await unpack(archive, draft)
    await rename(draft, directory)
  }
  return PGlite.create({
    fs: syncsFiles ? openSyncedFiles(directory) : new NodeFS(directory),
    startParams: [...startParams, ...syncsFiles ? syncParameters : []]
  })
}

/** Takes seconds of processor time, and a second PGlite for a moment. */
async function initialise (directory: string): Promise<void> {
  const fresh = await PGlite.create(directory)
  await fresh.close()
}

async function unpack (archive: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { extract } = await import('tar')
  await extract({ file: archive, cwd: directory, strict: true })
}

function send (message: EmbeddedServerMessage): void {
  parentPort?.postMessage(message)
}

try {
  const db = await withLightCompiler(() => open(options))
  const server = new PGLiteSocketServer({
    db,
    maxConnections: options.maxConnections,
    ...(options.socketPath === undefined
      ? { host: '127.0.0.1', port: options.port ?? 0 }
      : { path: options.socketPath })
  })
  await server.start()
  parentPort?.once('message', async () => {
    await server.stop()
    await db.exec('CHECKPOINT')
    await db.close()
    send({ type: 'closed' })
    parentPort?.close()
  })
  send({ type: 'ready', address: server.getServerConn() })
} catch (error) {
  send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
}
