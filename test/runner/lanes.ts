import { glob } from 'node:fs/promises'
import type { Mode } from '../support/modes.ts'

/** Test files that run in the same way. */
export interface Part {
  patterns: readonly string[]
  /** The modes that its files run in. Default: every mode that the servers allow. */
  modes?: readonly Mode[]
  /** Files that match the patterns but belong to another part. */
  ignore?: RegExp
  /** How many files of a package may share a process, and with it the modules that they import. */
  filesPerProcess: number
}

/** Tests of sources that take too long for the quick lane; their names end in `.slow.test.ts`. */
const slow: Part = {
  patterns: ['{sdk,runtime}/test/**/*.slow.test.ts', 'test/*.slow.test.ts'],
  filesPerProcess: 1
}
const ignore = /\.slow\.test\.ts$/
/** Tests that wait for threads, processes and databases. */
const waitingPackages: Part = {
  patterns: ['runtime/test/{adapters,database,jobs,orders,streams}/**/*.test.ts'],
  ignore,
  filesPerProcess: 24
}
const packages: Part = {
  patterns: [
    'sdk/test/**/*.test.ts',
    'sdk/client/test/*.test.ts',
    'runtime/test/**/*.test.ts',
    'plugins/*/test/**/*.test.ts',
    'examples/*/test/**/*.test.ts'
  ],
  ignore,
  filesPerProcess: 40
}
const support: Part = {
  patterns: ['test/*.test.ts', 'test/{runner,support,fixtures,release}/*.test.ts'],
  ignore,
  filesPerProcess: 20
}
const mainJobEmbedded: Part = { patterns: ['test/modes/*.test.ts'], modes: ['embedded'], filesPerProcess: 9 }
const mainJobOnServers: Part = { patterns: ['test/modes/*.test.ts'], modes: ['postgres', 'full'], filesPerProcess: 5 }
const endToEnd: Part = { patterns: ['test/e2e/**/*.test.ts'], filesPerProcess: 8 }
const chaos: Part = { patterns: ['test/{chaos,fuzz}/*.test.ts'], filesPerProcess: 1 }
const budget: Part = { patterns: ['test/bench/*.test.ts'], filesPerProcess: 1 }

// Long batches come first, so that no process is left with one when the others are done.
const quick: readonly Part[] = [waitingPackages, mainJobEmbedded, packages, support]
const rest: readonly Part[] = [endToEnd, mainJobOnServers, budget, slow, chaos]

/** `quick` is `npm test`; `rest` holds the tests that only `npm run test:full` runs. */
export const lanes: Readonly<Record<string, readonly Part[]>> = { quick, rest, full: [...rest, ...quick] }

/** Makes a part of the files that the command line names, in every mode. */
export function partOf (patterns: readonly string[]): Part {
  return { patterns, filesPerProcess: 1 }
}

export async function findFiles ({ patterns, ignore }: Part): Promise<string[]> {
  const files = new Set<string>()
  const exclude = (path: string): boolean => path.includes('node_modules')
  for await (const file of glob([...patterns], { exclude })) files.add(file)
  return [...files].filter(file => ignore?.test(file) !== true).toSorted()
}
