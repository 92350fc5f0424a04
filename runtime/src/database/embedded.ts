import { chmod, mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { EmbeddedDatabaseError } from '../errors.ts'
import { lockDirectory } from './directory-lock.ts'
import type { EmbeddedServerMessage, EmbeddedServerOptions } from './embedded-worker.ts'

/** Where the `pg` driver reaches the embedded server. */
export interface EmbeddedServer {
  connection: { host: string, port: number, user: string, password: string, dbName: string }
  /** Checkpoints, closes the database, ends the worker and gives the directory back. */
  close (): Promise<void>
}

// The operating system cuts or refuses longer socket paths.
const maxSocketPathLength = 100
// One for the hub; the others for a look with psql, which must not run beside it under load.
const maxConnections = 4

/**
 * Starts PostgreSQL inside this process: PGlite in a worker thread, spoken to over its socket by the ordinary driver.
 * In the hub's own thread its queries would starve every timer and request. The data directory is locked first.
 * It survives a crash of the process, not a loss of power: PGlite does not sync its files.
 */
export async function startEmbeddedServer (dataDirectory: string): Promise<EmbeddedServer> {
  const directory = resolve(dataDirectory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const release = await lockDirectory(directory)
  try {
    return await startWorker(directory, release)
  } catch (error) {
    await release()
    throw error
  }
}

async function startWorker (directory: string, release: () => Promise<void>): Promise<EmbeddedServer> {
  const socketDirectory = join(directory, 'socket')
  const socketPath = join(socketDirectory, '.s.PGSQL.5432')
  const usesSocket = process.platform !== 'win32' && socketPath.length <= maxSocketPathLength
  if (usesSocket) {
    await rm(socketDirectory, { recursive: true, force: true })
    await mkdir(socketDirectory, { recursive: true })
    await chmod(socketDirectory, 0o700)
  }
  const workerData: EmbeddedServerOptions = {
    databaseDirectory: join(directory, 'database'), maxConnections, ...(usesSocket ? { socketPath } : {})
  }
  // Sources run unbuilt in development: the worker has the extension of this file.
  const worker = new Worker(new URL(import.meta.url.endsWith('.ts') ? './embedded-worker.ts' : './embedded-worker.js', import.meta.url), { workerData })
  const ready = await nextMessage(worker)
  if (ready.type !== 'ready') {
    await worker.terminate()
    throw new EmbeddedDatabaseError(directory, ready.type === 'failed' ? ready.message : 'it closed while starting')
  }
  const port = usesSocket ? 5432 : Number(ready.address.slice(ready.address.lastIndexOf(':') + 1))
  return {
    connection: { host: usesSocket ? socketDirectory : '127.0.0.1', port, user: 'postgres', password: 'postgres', dbName: 'postgres' },
    async close () {
      worker.postMessage('close')
      await nextMessage(worker)
      await worker.terminate()
      await release()
    }
  }
}

function nextMessage (worker: Worker): Promise<EmbeddedServerMessage> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => { resolve({ type: 'closed' }) })
  })
}
