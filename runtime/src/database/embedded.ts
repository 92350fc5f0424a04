import { existsSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pTimeout from 'p-timeout'
import { EmbeddedDatabaseError } from '../errors.ts'
import { lockDirectory } from './directory-lock.ts'
import type { EmbeddedServerMessage, EmbeddedServerOptions } from './embedded-worker.ts'
import { freeBytesOf, neededBytes } from './free-bytes.ts'

/** Where the `pg` driver reaches the embedded server. */
export interface EmbeddedServer {
  connection: { host: string, port: number, user: string, password: string, dbName: string }
  /**
   * Ends the thread of the server, even one that hangs, and starts another as soon as the disk has
   * room. Open connections break, and new ones are refused until then. `isFull`: the disk is full.
   */
  restart(reason: string, isFull?: boolean): void
  /** Whether it waits for room on the disk. */
  isFull(): boolean
  /** Checkpoints, closes the database, ends the worker and gives the directory back. */
  close(): Promise<void>
}

export interface EmbeddedOptions {
  dataDirectory: string
  /**
   * Returns the path of the archive of a database that a new directory starts from. Not called for
   * a known directory. Absent: a new directory starts empty.
   */
  findArchive?(this: void): Promise<string>
  /** Whether each commit waits for the disk. */
  syncsFiles?: boolean
  /** Whether the database has no files. `dataDirectory` is not used then, and need not exist. */
  isInMemory?: boolean
}

export interface EmbeddedLog {
  warn(fields: object, message: string): void
}

// The operating system cuts or refuses longer socket paths.
const maxSocketPathLength = 100
// The hub uses one. The others allow a look with psql, which must not run beside a hub under load.
const maxConnections = 4
const lookForRoomMs = 1_000
const startAgainMs = 5_000
const startTimeoutMs = 120_000
const stopTimeoutMs = 20_000

/**
 * Starts PostgreSQL inside this process: PGlite in a worker thread, which the ordinary driver
 * reaches over a socket. In the hub's own thread the queries would starve every timer and request.
 * Locks the data directory first. The data survive a crash of the process; they survive a loss of
 * power only with `syncsFiles`. In memory they end with the thread.
 */
export async function startEmbeddedServer (
  { dataDirectory, findArchive, syncsFiles = false, isInMemory = false }: EmbeddedOptions,
  log: EmbeddedLog
): Promise<EmbeddedServer> {
  const directory = resolve(dataDirectory)
  const place: Place = { directory, syncsFiles, isInMemory, socketDirectory: join(directory, 'socket') }
  if (isInMemory) return startInMemory(place, log, findArchive)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const release = await lockDirectory(directory)
  try {
    const freeBytes = await freeBytesOf(directory)
    if (freeBytes < neededBytes) {
      throw new EmbeddedDatabaseError(
        directory,
        `the disk is full: ${freeBytes} bytes are left, but ${neededBytes} are needed`
      )
    }
    const first = await startFirstThread(place, log, findArchive)
    return superviseThread(place, first, options => startThread(place, options), release, log)
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * There is no password: the rights of the folder keep the other users of the machine away. The
 * folder goes with the process, too, because nobody closes the database after an error.
 */
async function startInMemory (
  place: Place,
  log: EmbeddedLog,
  findArchive: EmbeddedOptions['findArchive']
): Promise<EmbeddedServer> {
  // mkdtemp makes a folder that only this user may enter.
  const socketDirectory = await mkdtemp(join(tmpdir(), 'linker-socket-'))
  const remove = (): void => {
    rmSync(socketDirectory, { recursive: true, force: true })
  }
  process.once('exit', remove)
  const release = async (): Promise<void> => {
    process.off('exit', remove)
    remove()
  }
  const start: Start = options => startFirstThread({ ...place, socketDirectory }, log, findArchive, options)
  try {
    return superviseThread(place, await start(), start, release, log)
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Makes the database if there is none: from the archive, or by the initialisation of PGlite where
 * the archive is missing or broken.
 */
async function startFirstThread (
  place: Place,
  log: EmbeddedLog,
  findArchive: EmbeddedOptions['findArchive'],
  options: ThreadOptions = {}
): Promise<Thread> {
  const isKnown = !place.isInMemory && existsSync(databaseOf(place))
  if (findArchive === undefined || isKnown) return startThread(place, options)
  const archive = await findArchive()
  if (existsSync(archive)) {
    try {
      return await startThread(place, { ...options, archive })
    } catch (err) {
      log.warn({ archive, err }, 'the prepared database cannot be used; making one, which takes some seconds')
    }
  } else {
    log.warn({ archive }, 'there is no prepared database; making one, which takes some seconds')
  }
  return startThread(place, options)
}

/**
 * Replaces the thread when it fails. PGlite does not survive a full disk: its thread then answers
 * nothing any more. Committed data are in the log of PostgreSQL.
 */
function superviseThread (
  place: Place,
  first: Thread,
  startAgain: Start,
  release: () => Promise<void>,
  log: EmbeddedLog
): EmbeddedServer {
  const { directory } = place
  const { host, port } = first
  const closing = new AbortController()
  let thread: Thread | undefined
  let reviving: Promise<void> | undefined
  let isFull = false
  serve(first)

  function serve (started: Thread): void {
    thread = started
    started.worker.on('error', error => {
      restart(error.message)
    })
    started.worker.on('exit', () => {
      if (thread === started) restart('its thread ended')
    })
  }

  function restart (reason: string, isFullNow = false): void {
    if (closing.signal.aborted || reviving !== undefined) return
    isFull = isFullNow
    log.warn({ directory, reason }, 'restarting the embedded database')
    const dead = thread
    thread = undefined
    reviving = revive(dead).finally(() => {
      reviving = undefined
    })
  }

  async function revive (dead: Thread | undefined): Promise<void> {
    await dead?.worker.terminate()
    while (thread === undefined && !closing.signal.aborted) {
      try {
        if (!place.isInMemory) await waitForRoom()
        serve(await startAgain({ port }))
        isFull = false
        log.warn({ directory }, `the embedded database runs again${place.isInMemory ? ', without its content' : ''}`)
      } catch (error) {
        if (closing.signal.aborted) return
        isFull &&= !place.isInMemory && await freeBytesOf(directory).catch(() => neededBytes) < neededBytes
        log.warn({ directory, err: error }, 'the embedded database did not start; trying again')
        await sleep(startAgainMs, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }

  async function waitForRoom (): Promise<void> {
    for (let isFirst = true;; isFirst = false) {
      const freeBytes = await freeBytesOf(directory)
      if (freeBytes >= neededBytes) return
      isFull = true
      if (isFirst) {
        log.warn(
          { directory, freeBytes, neededBytes },
          'the disk is full; the embedded database restarts when there is enough room'
        )
      }
      await sleep(lookForRoomMs, undefined, { signal: closing.signal })
    }
  }

  return {
    connection: { host, port, user: 'postgres', password: 'postgres', dbName: 'postgres' },
    restart,
    isFull: () => isFull,
    async close () {
      closing.abort()
      await reviving
      if (thread !== undefined) await stopThread(thread)
      await release()
    }
  }
}

function databaseOf ({ directory }: Place): string {
  return join(directory, 'database')
}

interface Thread {
  worker: Worker
  host: string
  port: number
}

/** The directory of the hub, and how its database writes there. */
interface Place {
  directory: string
  syncsFiles: boolean
  isInMemory: boolean
  /** The folder of the socket that the driver reaches the thread over. */
  socketDirectory: string
}

interface ThreadOptions {
  /** The port of the previous thread, which the new thread takes over when it has no socket. */
  port?: number
  archive?: string
}

type Start = (options?: ThreadOptions) => Promise<Thread>

async function startThread (place: Place, { port = 0, archive }: ThreadOptions = {}): Promise<Thread> {
  const { directory, syncsFiles, isInMemory, socketDirectory } = place
  const socketPath = join(socketDirectory, '.s.PGSQL.5432')
  const usesSocket = process.platform !== 'win32' && socketPath.length <= maxSocketPathLength
  if (usesSocket && isInMemory) {
    // Keep the folder: everybody may make another one of this name in its place.
    await rm(socketPath, { force: true })
  } else if (usesSocket) {
    await rm(socketDirectory, { recursive: true, force: true })
    await mkdir(socketDirectory, { recursive: true })
    await chmod(socketDirectory, 0o700)
  }
  const workerData: EmbeddedServerOptions = {
    databaseDirectory: databaseOf(place),
    isInMemory,
    syncsFiles,
    archive,
    maxConnections,
    ...(usesSocket ? { socketPath } : { port })
  }
  // Sources run unbuilt in development: the worker has the extension of this file.
  const worker = new Worker(
    new URL(import.meta.url.endsWith('.ts') ? './embedded-worker.ts' : './embedded-worker.js', import.meta.url),
    { workerData }
  )
  try {
    const ready = await nextMessage(worker, startTimeoutMs)
    if (ready.type !== 'ready') {
      throw new EmbeddedDatabaseError(directory, ready.type === 'failed' ? ready.message : 'it closed while starting')
    }
    const listensOn = Number(ready.address.slice(ready.address.lastIndexOf(':') + 1))
    return { worker, ...(usesSocket ? { host: socketDirectory, port: 5432 } : { host: '127.0.0.1', port: listensOn }) }
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

async function stopThread ({ worker }: Thread): Promise<void> {
  worker.postMessage('close')
  // The hub ends a thread that does not answer. Committed data are in PostgreSQL's log.
  await nextMessage(worker, stopTimeoutMs).catch(() => undefined)
  await worker.terminate()
}

async function nextMessage (worker: Worker, timeoutMs: number): Promise<EmbeddedServerMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<EmbeddedServerMessage>()
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => {
    resolve({ type: 'closed' })
  })
  return pTimeout(promise, {
    milliseconds: timeoutMs,
    message: `the embedded database gave no answer within ${timeoutMs / 1_000} s: this machine may be too busy`
  })
}
