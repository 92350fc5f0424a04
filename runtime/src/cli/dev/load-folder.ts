import { discoverAdapters, type Discovered } from '../../adapters/discover.ts'
import type { AdapterRecord } from '../../adapters/load.ts'
import type { AdapterProblem } from '../../adapters/states.ts'
import { asError } from '../../as-error.ts'
import { runProgram } from '../publish/npm.ts'
import { findDevEntry } from './source-entry.ts'

export interface LoadFolderOptions {
  directory: string
  /** Whether the package is built before it is loaded. */
  builds: boolean
  /** Runs the adapter in the hub in place of its last load. */
  swap(discovered: Discovered): Promise<AdapterRecord>
}

/** An adapter that serves, or the reason why it does not. */
export type LoadedFolder = Pick<AdapterRecord, 'adapter'> & { problem?: AdapterProblem | Error }

/** Loads the adapter of a folder into the hub that runs in this process. */
export async function loadFolder ({ directory, builds, swap }: LoadFolderOptions): Promise<LoadedFolder> {
  try {
    if (builds) await build(directory)
    const [discovered] = await discoverAdapters(directory, { adapters: [{ path: directory, isolation: 'worker' }] })
    if (discovered?.found === undefined) return discovered?.problem === undefined ? {} : { problem: discovered.problem }
    const { source } = await findDevEntry(directory, builds)
    const found = source === undefined ? discovered.found : { ...discovered.found, source }
    const { adapter, problem } = await swap({ ...discovered, found })
    return problem === undefined ? { adapter } : { problem }
  } catch (error) {
    return { problem: asError(error) }
  }
}

async function build (directory: string): Promise<void> {
  const { hasFailed, stdout, stderr } = await runProgram('npm', ['run', '--silent', 'build'], directory)
  if (hasFailed) throw new Error(`npm run build failed:\n${`${stdout}\n${stderr}`.trim()}`)
}
