import { PassThrough } from 'node:stream'
import { asError } from '../as-error.ts'
import { holderOf } from '../database/directory-lock.ts'
import { DataDirectoryLockedError } from '../errors.ts'
import { readPieces } from './archive.ts'
import { linesOf } from './lines.ts'
import { refuseSecondMove } from './moved-state.ts'
import { openSource, type State } from './open-source.ts'
import type { Restored } from './restore-backup.ts'
import { restoreInto } from './restore-into.ts'
import { takeHeader } from './take-header.ts'
import { writeBackup } from './write-backup.ts'

/**
 * Pipes a backup of the source, which no hub uses, into the target, without a file. Throws
 * `LNK_STATE_MOVED` when the source was moved before.
 */
export async function transferState (
  source: State,
  target: State,
  now: Date,
  onStep?: (step: string) => void
): Promise<Restored> {
  await refuseSecondMove(source.dataDirectory)
  await refuseInUse(source)
  const opened = await openSource(source)
  const pipe = new PassThrough()
  // Both ends reject with the error, too.
  pipe.on('error', () => undefined)
  const writing = writeBackup(opened, pipe, now).then(() => {
    pipe.end()
  }, (error: unknown) => {
    pipe.destroy(asError(error))
  })
  try {
    const { header, rest } = await takeHeader(readPieces(linesOf(pipe)))
    return await restoreInto(target, {
      header,
      pieces: rest,
      now,
      isComplete: true,
      ...(onStep === undefined ? {} : { onStep })
    })
  } catch (error) {
    pipe.destroy(asError(error))
    throw error
  } finally {
    await writing
    await opened.close()
  }
}

/** Opening a directory in use is refused, too, but with advice for the start of a hub. */
async function refuseInUse ({ databaseUrl, dataDirectory }: State): Promise<void> {
  const pid = databaseUrl === undefined ? await holderOf(dataDirectory) : undefined
  if (pid !== undefined) {
    throw new DataDirectoryLockedError(dataDirectory, pid, 'Stop that process, then transfer the state')
  }
}
