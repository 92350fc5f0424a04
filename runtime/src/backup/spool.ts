import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Database } from '../database/database.ts'
import { freeBytesOf } from '../database/free-bytes.ts'
import { BackupNoRoomError } from '../errors.ts'
import { writeCompressed } from './backup-file.ts'
import { sourceOfHub, type State } from './open-source.ts'
import { readDatabaseBytes } from './store.ts'
import { writeBackup } from './write-backup.ts'

export interface Spooled {
  stream: Readable
  bytes: number
}

/**
 * Takes a backup of the hub in this process. Writes it to the disk first, so that the speed of the
 * client does not decide how long the snapshot is open: the embedded database serves nobody else
 * meanwhile. The file has no name, so it is gone when its stream ends or the process dies.
 */
export async function spoolBackup (state: State, database: Database, now: Date): Promise<Spooled> {
  await mkdir(state.dataDirectory, { recursive: true, mode: 0o700 })
  await checkRoom(state.dataDirectory, await readDatabaseBytes(database.query))
  const path = join(state.dataDirectory, `backup-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    const source = await sourceOfHub(state, database)
    try {
      await writeCompressed(file, stream => writeBackup(source, stream, now))
    } finally {
      await source.close()
    }
    return await rewind(file)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function rewind (file: FileHandle): Promise<Spooled> {
  return { bytes: (await file.stat()).size, stream: file.createReadStream({ start: 0 }) }
}

/** A full disk stops an embedded database. A backup is smaller than the database. */
export async function checkRoom (directory: string, neededBytes: number): Promise<void> {
  const freeBytes = await freeBytesOf(directory)
  if (freeBytes < neededBytes) throw new BackupNoRoomError(directory, freeBytes, neededBytes)
}
