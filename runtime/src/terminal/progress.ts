import { escapeUnprintable } from '@linker/sdk/host/text'
import type { WriteStream } from 'node:tty'

/** Names the next step of something that takes a while. */
export type Progress = (step: string) => void

/**
 * Makes a progress that prints each step on a line of a terminal. It writes nothing to a pipe or a
 * file.
 */
export function createProgress (stream: Pick<WriteStream, 'write'> & { isTTY?: boolean | undefined }): Progress {
  return step => {
    if (stream.isTTY === true) stream.write(`  ${escapeUnprintable(step)} …\n`)
  }
}
