import { escapeUnprintable } from '@linker/sdk/host/text'
import { describeAdapters } from '../adapters/describe-adapters.ts'
import { discoverAdapters } from '../adapters/discover.ts'
import { compareLocks, type Drift } from '../adapters/lock-drift.ts'
import { lockOf, lockPath, readLock, writeLock, type Lock } from '../adapters/lock.ts'
import { scanAdapters } from '../adapters/scan.ts'
import { readConfig } from '../config.ts'
import { print, printError } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'

export interface ScanOptions {
  check?: boolean
  yes?: boolean
}

/**
 * Lists the adapters of this project, and records them in linker.lock. Returns whether the lock and
 * all adapters are well.
 */
export async function recordAdapters ({ check = false, yes = false }: ScanOptions): Promise<boolean> {
  const config = readConfig(process.env, process.cwd())
  const { projectDirectory } = config
  const discovered = await discoverAdapters(projectDirectory, config.file)
  const locked = await readLock(projectDirectory)
  const current = await lockOf(discovered.flatMap(({ found }) => found ?? []))
  const drift = locked === undefined ? [] : compareLocks(locked, current)
  for (const line of describeDrift(drift)) print(escapeUnprintable(line))
  if (check && locked === undefined) {
    return refuse(`${lockPath(projectDirectory)} does not exist; linker scan writes it`)
  }
  if (check && drift.length > 0) {
    return refuse('the adapters differ from linker.lock; linker scan records the present state')
  }
  if (!yes && drift.some(({ grown }) => grown.length > 0)) {
    return refuse('linker.lock was not written and no adapter was loaded. To agree to the permissions above, run ' +
      'linker scan --yes')
  }

  // Load the adapters whether the lock fits or not, because this command writes the lock.
  createProgress(process.stderr)('loading the adapters')
  const records = await scanAdapters({ ...config, isFrozen: false })
  print(describeAdapters(records))
  if (!records.every(({ adapter }) => adapter !== undefined)) {
    return refuse(check ? 'not every adapter loads' : 'linker.lock was not written: not every adapter loads')
  }
  if (!check) await write(projectDirectory, locked, current, drift)
  return true
}

async function write (
  projectDirectory: string,
  locked: Lock | undefined,
  current: Lock,
  drift: readonly Drift[]
): Promise<void> {
  if (locked !== undefined && drift.length === 0) {
    print('linker.lock is up to date')
    return
  }
  await writeLock(projectDirectory, current)
  print(`linker.lock records ${
    [...current.keys()].toSorted().join(', ') || 'no adapters'
  }. Commit it, and start with --frozen`)
}

const marks = { added: '+', removed: '-', changed: '~' }

/** Writes one line per difference, and below it one line for each permission that grew. */
export function describeDrift (drift: readonly Drift[]): string[] {
  return drift.flatMap(
    ({ kind, message, grown }) => [`${marks[kind]} ${message}`, ...grown.map(line => `    now it may also ${line}`)]
  )
}

function refuse (reason: string): false {
  printError(`linker: ${reason}`)
  return false
}
