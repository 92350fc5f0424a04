import type { Mode } from '../support/modes.ts'
import { findFiles, type Part } from './lanes.ts'

/** Files that one process runs, one after the other. */
export interface Batch {
  files: readonly string[]
  modes?: readonly Mode[]
}

/** Plans batches. The first part that names a file runs it, and others only in other modes. */
export async function planBatches (parts: readonly Part[]): Promise<Batch[]> {
  const taken = new Set<string>()
  const batches: Batch[] = []
  for (const part of parts) {
    const { modes, filesPerProcess } = part
    const keyOf = (file: string): string => `${file} ${modes?.join() ?? ''}`
    const files = (await findFiles(part)).filter(file => !taken.has(keyOf(file)))
    for (const file of files) taken.add(keyOf(file))
    const slices = cutByRoom(files, filesPerProcess)
    batches.push(...slices.map(slice => ({ files: slice, ...(modes === undefined ? {} : { modes }) })))
  }
  return batches
}

/**
 * Cuts files into slices of about the same length. No slice mixes rooms, so that a reader can tell
 * which files share a process. Starting a process and loading what its tests import costs as much
 * as some dozens of small tests.
 */
export function cutByRoom (files: readonly string[], longest: number): string[][] {
  const rooms = Object.values(Object.groupBy(files, roomOf))
  return rooms.flatMap((room = []) => {
    const slices = Math.ceil(room.length / longest)
    const length = Math.ceil(room.length / slices)
    const cut = Array.from({ length: slices }, (_, slice) => room.slice(slice * length, (slice + 1) * length))
    return cut.filter(slice => slice.length > 0)
  })
}

/** `runtime/test/orders` for `runtime/test/orders/lines/remap-jobs.test.ts`. */
function roomOf (file: string): string {
  return /^(?:.*\/)?test\/(?:[^/]+(?=\/))?/.exec(file)?.[0] ?? ''
}
