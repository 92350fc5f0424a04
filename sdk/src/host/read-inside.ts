import { open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { escapeUnprintable } from '../printable.ts'

/** A file that nobody should read. */
export class UnreadableFile extends Error {}

/** Reads a regular file of a package. Throws when its name or a link leads elsewhere. */
export async function readInside (directory: string, name: string, mostBytes: number): Promise<Buffer> {
  const { bytes, size } = await readStartInside(directory, name, mostBytes)
  if (size > mostBytes) {
    throw new UnreadableFile(`${escapeUnprintable(name)} has ${size} bytes, at most ${mostBytes} are read`)
  }
  return bytes
}

/** Reads the first bytes of a regular file of a package, and says how many the file has. */
export async function readStartInside (
  directory: string,
  name: string,
  mostBytes: number
): Promise<{ bytes: Buffer, size: number }> {
  const isOutside = (path: string): boolean => isAbsolute(path) || path.split(/[/\\]/).includes('..')
  const shown = escapeUnprintable(name)
  if (isOutside(name)) throw new UnreadableFile(`${shown} is not inside the package`)
  const path = await realpath(join(directory, name))
  if (isOutside(relative(await realpath(directory), path))) {
    throw new UnreadableFile(`${shown} is not inside the package`)
  }
  const found = await stat(path)
  // Opening a pipe would wait for its writer.
  if (!found.isFile()) throw new UnreadableFile(`${shown} is no file`)
  const file = await open(path)
  try {
    // The file may grow after `stat`.
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(found.size, mostBytes)))
    return { bytes: buffer.subarray(0, bytesRead), size: found.size }
  } finally {
    await file.close()
  }
}
