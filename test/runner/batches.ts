import type { Mode } from '../support/modes.ts'
import { findFiles, type Part } from './lanes.ts'

/** Files that one process runs, one after the other. */
export interface Batch {
  files: readonly string[]
  modes?: readonly Mode[]
}

/**
 * Tests of whole hubs and of the conformance suite. They import only packages, never files below
 * `src`.
 */
const ofPackages = /^(?:test\/(?:bench|chaos|e2e|fuzz|modes)\/|sdk\/test\/testing\/conformance\/.+\.slow\.)/

/**
 * Whether a batch tests the bundles of the packages, as they are published. A process loads them in
 * about half of the processor time of the sources, and so does each thread of an adapter.
 */
export function testsBundles ({ files }: Batch): boolean {
  return files.every(file => ofPackages.test(file))
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
    const slices = cutByPackage(files, filesPerProcess)
    batches.push(...slices.map(slice => ({ files: slice, ...(modes === undefined ? {} : { modes }) })))
  }
  return batches
}

/**
 * Cuts files into slices of about the same length. No slice mixes packages, whose tests import
 * different modules. Starting a process and loading what its tests import costs as much as some
 * dozens of small tests.
 */
export function cutByPackage (files: readonly string[], longest: number): string[][] {
  const packages = Object.values(Object.groupBy(files, packageOf))
  return packages.flatMap((own = []) => {
    const slices = Math.ceil(own.length / longest)
    const length = Math.ceil(own.length / slices)
    const cut = Array.from({ length: slices }, (_, slice) => own.slice(slice * length, (slice + 1) * length))
    return cut.filter(slice => slice.length > 0)
  })
}

/** `runtime/` for `runtime/test/orders/lines/remap-jobs.test.ts`; empty for tests of the root. */
function packageOf (file: string): string {
  return /^(?:.+?\/)?(?=test\/)/.exec(file)?.[0] ?? ''
}
