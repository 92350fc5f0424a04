import { statfs } from 'node:fs/promises'

/** Returns how many bytes the disk of a directory has left for this user. */
export async function freeBytesOf (directory: string): Promise<number> {
  return (await spaceOf(directory)).freeBytes
}

/** Returns how many bytes the disk of a directory has for this user, and how many are left. */
export async function spaceOf (directory: string): Promise<{ freeBytes: number, totalBytes: number }> {
  const { blocks, bfree, bavail, bsize } = await statfs(directory)
  return { freeBytes: bavail * bsize, totalBytes: (blocks - bfree + bavail) * bsize }
}

/**
 * PostgreSQL writes its log in files of 16 MB, and an embedded database recovers only when it can
 * make another file.
 */
export const neededBytes = 24 * 1024 ** 2
