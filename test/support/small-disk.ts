import { execFile } from 'node:child_process'
import { mkdtemp, rmdir, statfs, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const run = promisify(execFile)
const megabyte = 1_000_000

export interface SmallDisk {
  directory: string
  /** Writes until only `leftBytes` are free. */
  fill(leftBytes: number): Promise<void>
  /** Removes the file that filled it. */
  empty(): Promise<void>
}

/**
 * Mounts a disk in memory, which a test may fill without harm. Returns undefined where that fails,
 * because it takes root on Linux; it throws instead where LINKER_TEST_REQUIRE_SERVERS is 1.
 */
export async function mountSmallDisk (t: Test, megabytes: number): Promise<SmallDisk | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'linker-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes * megabyte}`, 'tmpfs', directory])
  } catch (error) {
    await rmdir(directory)
    if (process.env.LINKER_TEST_REQUIRE_SERVERS === '1') throw error
    return undefined
  }
  t.teardown(async () => {
    await run('umount', ['--lazy', directory])
    await rmdir(directory)
  })
  const ballast = join(directory, 'ballast')
  return {
    directory,
    async fill (leftBytes) {
      const { bavail, bsize } = await statfs(directory)
      await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)))
    },
    empty: () => unlink(ballast)
  }
}
