import { statfs } from 'node:fs/promises'

/** Returns how many bytes the disk of a directory has left for this user. */
export async function freeBytesOf (directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/**
 * PostgreSQL writes its log in files of 16 MB, and an embedded database recovers only when it can
 * make another file.
 */
export const neededBytes = 24 * 1024 ** 2
