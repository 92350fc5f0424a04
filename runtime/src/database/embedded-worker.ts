import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** The parent passes this in `workerData`: a socket path, or a loopback port (0 for any). */
export interface EmbeddedServerOptions {
  databaseDirectory: string
  socketPath?: string
  port?: number
  maxConnections: number
}

/** Messages to the parent. */
export type EmbeddedServerMessage = { type: 'ready', address: string } | { type: 'failed', message: string } | {
  type: 'closed'
}

const options = workerData as EmbeddedServerOptions

async function open (directory: string): Promise<PGlite> {
  if (!existsSync(directory)) {
    // Rename the directory when it is complete: a process that is killed during the initialisation
    // must not leave a directory that looks like a database.
    const draft = `${directory}.new`
    await rm(draft, { recursive: true, force: true })
    const fresh = await PGlite.create(draft)
    await fresh.close()
    await rename(draft, directory)
  }
  return PGlite.create(directory)
}

function send (message: EmbeddedServerMessage): void {
  parentPort?.postMessage(message)
}

try {
  const db = await open(options.databaseDirectory)
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
