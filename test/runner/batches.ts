import { dirname } from 'node:path'
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
    const slices = cutByFolder(files, filesPerProcess)
    batches.push(...slices.map(slice => ({ files: slice, ...(modes === undefined ? {} : { modes }) })))
  }
  return batches
}

/**
 * Cuts files into slices of about the same length. No slice mixes folders, so that a reader can
 * tell which files share a process.
 */
export function cutByFolder (files: readonly string[], longest: number): string[][] {
  const folders = Object.values(Object.groupBy(files, file => dirname(file)))
  return folders.flatMap((folder = []) => {
    const slices = Math.ceil(folder.length / longest)
    const length = Math.ceil(folder.length / slices)
    const cut = Array.from({ length: slices }, (_, slice) => folder.slice(slice * length, (slice + 1) * length))
    return cut.filter(slice => slice.length > 0)
  })
}
