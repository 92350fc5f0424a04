import semver from 'semver'
import type { Config } from '../config.ts'
import { AdapterIntegrityError } from '../errors.ts'
import type { Discovered } from './discover.ts'
import { grownPermissions } from './lock-permissions.ts'
import { isSame, isUnreadable, lockOf, readLock, type Lock, type LockedAdapter } from './lock.ts'
import type { AdapterProblemCode } from './states.ts'

/** The code of a warning about a difference, in the log and the start table. */
export const driftCode: AdapterProblemCode = 'LNK_ADAPTER_INTEGRITY'

/** One difference between linker.lock and the project. */
export interface Drift {
  kind: 'added' | 'removed' | 'changed'
  /** `adapterKey@version`. */
  adapter: string
  message: string
  /** The permissions that no adapter of its key had before. */
  grown: string[]
}

/**
 * Compares the packages of the project with linker.lock before any code of them runs. Returns the
 * differences. Under `--frozen` it throws `LNK_ADAPTER_INTEGRITY` for any difference, for a missing
 * lock, and for a package that it cannot compare. Without a lock it reads no package.
 */
export async function checkLock (
  { projectDirectory, isFrozen }: Pick<Config, 'projectDirectory' | 'isFrozen'>,
  discovered: readonly Discovered[]
): Promise<Drift[]> {
  const locked = await readLock(projectDirectory)
  if (locked === undefined) {
    if (isFrozen) throw frozen([`there is no linker.lock in ${projectDirectory}`])
    return []
  }
  const drift = compareLocks(locked, await lockOf(discovered.flatMap(({ found }) => found ?? [])))
  const unread = discovered.flatMap(({ problem }) => problem === undefined ? [] : `${problem.code}: ${problem.message}`)
  if (isFrozen && drift.length + unread.length > 0) throw frozen([...drift.map(({ message }) => message), ...unread])
  return drift
}

/** Sorted by adapter. */
export function compareLocks (locked: Lock, current: Lock): Drift[] {
  const adapters = [...new Set([...locked.keys(), ...current.keys()])].toSorted()
  return adapters.flatMap(adapter => compare(adapter, locked, current))
}

function compare (adapter: string, locked: Lock, current: Lock): Drift[] {
  const [before, after] = [locked.get(adapter), current.get(adapter)]
  if (after === undefined) {
    return [{
      kind: 'removed',
      adapter,
      message: `${adapter} (${before?.package}) is in linker.lock but not in this project`,
      grown: []
    }]
  }
  const grown = grownPermissions(
    before?.permissions ?? predecessorOf(adapter, locked)?.permissions ?? after.permissions,
    after.permissions
  )
  if (before === undefined) {
    return [{ kind: 'added', adapter, message: `${adapter} (${after.package}) is not in linker.lock`, grown }]
  }
  return isSame(before, after)
    ? []
    : [{ kind: 'changed', adapter, message: `${adapter} (${after.package}) ${difference(before, after)}`, grown }]
}

function difference (before: LockedAdapter, after: LockedAdapter): string {
  return [
    ...(before.package === after.package ? [] : [`was package ${before.package} before`]),
    ...(before.integrity === after.integrity
      ? []
      : [isUnreadable(after.integrity) ? `is ${after.integrity}` : 'has other files than those in linker.lock']),
    ...(isSame({ ...before, permissions: after.permissions }, before)
      ? []
      : ['has other permissions than those in linker.lock'])
  ].join(' and ')
}

/**
 * The newest locked version of the same key: the operator agreed to its permissions last. Undefined
 * for a new key, which the operator added.
 */
function predecessorOf (adapter: string, locked: Lock): LockedAdapter | undefined {
  const key = keyOf(adapter)
  const versions = [...locked.keys()].filter(other => keyOf(other) === key).map(other => other.slice(key.length + 1))
  const [newest] = versions.filter(version => semver.valid(version) !== null).toSorted(semver.rcompare)
  return newest === undefined ? undefined : locked.get(`${key}@${newest}`)
}

function keyOf (adapter: string): string {
  return adapter.slice(0, adapter.indexOf('@'))
}

function frozen (reasons: readonly string[]): Error {
  return new AdapterIntegrityError(`the hub does not start with --frozen: ${
    reasons.join('; ')
  }. Restore the adapters that linker.lock records, or accept the difference with linker scan`)
}
