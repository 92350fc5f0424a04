import { glob } from 'node:fs/promises'
import type { Mode } from '../support/modes.ts'

/** Test files that run alike. */
export interface Part {
  patterns: readonly string[]
  /** The modes that its files run in; every one that the servers allow when it does not say. */
  modes?: readonly Mode[]
  /** Files that the patterns name and another part runs. */
  ignore?: RegExp
  /** So many files of one folder share a process, and with it everything that they import. */
  filesPerProcess: number
}

/** Proofs of a package that take too long for every few minutes: their names say so. */
const slow: Part = { patterns: ['{sdk,runtime}/test/**/*.slow.test.ts'], filesPerProcess: 1 }
const ignore = /\.slow\.test\.ts$/
/** Tests that wait for threads, processes and databases. */
const waitingPackages: Part = {
  patterns: ['runtime/test/{adapters,database,jobs,orders,streams}/**/*.test.ts'],
  ignore,
  filesPerProcess: 4
}
const packages: Part = {
  patterns: [
    'sdk/test/**/*.test.ts',
    'runtime/test/**/*.test.ts',
    'plugins/*/test/**/*.test.ts',
    'examples/*/test/**/*.test.ts'
  ],
  ignore,
  filesPerProcess: 10
}
const support: Part = { patterns: ['test/*.test.ts', 'test/{runner,support,fixtures}/*.test.ts'], filesPerProcess: 10 }
const mainJobEmbedded: Part = { patterns: ['test/modes/*.test.ts'], modes: ['embedded'], filesPerProcess: 2 }
const mainJobOnServers: Part = { patterns: ['test/modes/*.test.ts'], modes: ['postgres', 'full'], filesPerProcess: 2 }
const endToEnd: Part = { patterns: ['test/e2e/*.test.ts'], filesPerProcess: 3 }
const chaos: Part = { patterns: ['test/chaos/*.test.ts'], filesPerProcess: 1 }

// Long parts come first, so that no process is still busy when the others are done.
const quick: readonly Part[] = [waitingPackages, mainJobEmbedded, packages, support]
const rest: readonly Part[] = [slow, chaos, endToEnd, mainJobOnServers]

/**
 * `quick` is `npm test`; `rest` is what `npm run test:full` runs besides, so that nothing runs
 * twice.
 */
export const lanes: Readonly<Record<string, readonly Part[]>> = { quick, rest, full: [...rest, ...quick] }

/** Files that somebody asked for, in every mode. */
export function partOf (patterns: readonly string[]): Part {
  return { patterns, filesPerProcess: 1 }
}

export async function findFiles ({ patterns, ignore }: Part): Promise<string[]> {
  const files = new Set<string>()
  const exclude = (path: string): boolean => path.includes('node_modules') || ignore?.test(path) === true
  for await (const file of glob([...patterns], { exclude })) files.add(file)
  return [...files].toSorted()
}
