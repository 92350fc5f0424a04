import { createReadStream } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { asError } from '../as-error.ts'
import { DamagedBackupError } from '../errors.ts'
import { readPieces, type Header, type Piece, type Totals } from './archive.ts'
import { linesOf } from './lines.ts'

/** An embedded hub does nothing else while it writes. Higher levels take much longer. */
const level = 3

/** Writes what `write` puts into its stream into the file, compressed. */
export async function writeCompressed<Result> (
  file: FileHandle,
  write: (stream: Writable) => Promise<Result>
): Promise<Result> {
  const gzip = createGzip({ level })
  const piped = pipeline(gzip, source => append(file, source))
  // The error is thrown below, after `write` has met it, too.
  piped.catch(() => undefined)
  try {
    const result = await write(gzip)
    gzip.end()
    await piped
    return result
  } catch (error) {
    gzip.destroy(asError(error))
    // The file knows the cause, such as a full disk; the stream only knows that it was destroyed.
    await piped
    throw error
  }
}

/** Writes chunks behind one another. Leaves the file open. */
export async function append (file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) await file.appendFile(chunk)
}

/** Reads the pieces of a file. Throws `LNK_BACKUP_DAMAGED` when it is no whole backup. */
export async function* readBackupFile (path: string): AsyncGenerator<Piece> {
  const file = createReadStream(path)
  const gunzip = createGunzip()
  const piped = pipeline(file, gunzip)
  piped.catch(() => undefined)
  try {
    yield* readPieces(linesOf(gunzip))
  } catch (error) {
    throw isBroken(error) ? Object.assign(new DamagedBackupError(asError(error).message), { cause: error }) : error
  } finally {
    gunzip.destroy()
    file.destroy()
  }
}

export interface Checked extends Totals {
  header: Header
}

/** Reads a whole file and compares every hash. */
export async function checkBackupFile (path: string): Promise<Checked> {
  let header: Header | undefined
  let totals: Totals | undefined
  for await (const piece of readBackupFile(path)) {
    if (piece.kind === 'header') header = piece.header
    else if (piece.kind === 'end') totals = piece.totals
  }
  if (header === undefined || totals === undefined) throw new DamagedBackupError('it is empty')
  return { header, ...totals }
}

/** A time as the name of a file tells it: `20260131T100000Z`. */
export function stampOf (time: Date): string {
  return time.toISOString().replaceAll(/\.\d+|[-:]/g, '')
}

/** The path at which this process writes the backup of a path. */
export function draftOf (path: string): string {
  return `${path}.${process.pid}.part`
}

/**
 * Writes a backup. It is a draft beside the file until it is on the disk and was read back, so that
 * a file of this name is always a whole backup. A failed backup leaves nothing, and a file of an
 * earlier one stays as it is.
 */
export async function writeBackupFile (
  path: string,
  write: (file: FileHandle) => Promise<void>
): Promise<Checked & { bytes: number }> {
  const draft = draftOf(path)
  const file = await open(draft, 'wx', 0o600)
  try {
    await write(file)
    await file.sync()
    const checked = await checkBackupFile(draft)
    const { size: bytes } = await file.stat()
    await file.close()
    await rename(draft, path)
    return { bytes, ...checked }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/** The file is cut off or changed, as zlib sees it. */
function isBroken (error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
