import { Permissions } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterIntegrityError } from '../errors.ts'
import type { AdapterPackage } from './discover.ts'
import { nameOf } from './load.ts'
import { integrityOf } from './lock-integrity.ts'

const LockedAdapter = Type.Object({
  /** The name under which the project has the package. */
  package: Type.String({ minLength: 1 }),
  integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
  permissions: Permissions
}, { additionalProperties: false })
export type LockedAdapter = Static<typeof LockedAdapter>

const LockFile = Type.Object({ lockVersion: Type.Literal(1), adapters: Type.Record(Type.String(), LockedAdapter) }, {
  additionalProperties: false
})

/** `adapterKey@version` → what the lock says of that adapter. */
export type Lock = ReadonlyMap<string, LockedAdapter>

/** The lock lies in the operator's project, beside linker.config.json. Commit it with that file. */
export function lockPath (projectDirectory: string): string {
  return join(projectDirectory, 'linker.lock')
}

/**
 * Returns undefined when there is no lock. Throws `LNK_ADAPTER_INTEGRITY` when the file is no lock.
 */
export async function readLock (projectDirectory: string): Promise<Lock | undefined> {
  const path = lockPath(projectDirectory)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const file = parse(text)
  const [problem] = Value.Errors(LockFile, file)
  if (problem !== undefined) {
    throw new AdapterIntegrityError(`'${path}' is not a lock file: ${
      problem.path === '' ? '/' : problem.path
    } ${problem.message}. Restore its last good version, or remove it and run: linker scan`)
  }
  return new Map(Object.entries(Value.Decode(LockFile, file).adapters))
}

/**
 * Writes equal locks with equal bytes. Throws `LNK_ADAPTER_INTEGRITY` when a package could not be
 * read.
 */
export async function writeLock (projectDirectory: string, lock: Lock): Promise<void> {
  const path = lockPath(projectDirectory)
  for (const [adapter, { integrity }] of lock) {
    if (isUnreadable(integrity)) throw new AdapterIntegrityError(`${adapter} cannot be recorded: ${integrity}`)
  }
  const draft = `${path}.${process.pid}`
  await writeFile(
    draft,
    `${JSON.stringify({ lockVersion: 1, adapters: Object.fromEntries(inOrder(lock)) }, null, 2)}\n`
  )
  await rename(draft, path)
}

/**
 * The lock that these packages would have now. The `integrity` of a package that cannot be read
 * gives the reason.
 */
export async function lockOf (packages: readonly AdapterPackage[]): Promise<Lock> {
  return new Map(await Promise.all(packages.map(async (found): Promise<[string, LockedAdapter]> => [nameOf(found), {
    package: found.packageName,
    integrity: await integrityOf(found.directory).catch((error: unknown) =>
      `unreadable: ${error instanceof Error ? error.message : String(error)}`
    ),
    permissions: found.manifest.permissions ?? {}
  }])))
}

export function isUnreadable (integrity: string): boolean {
  return integrity.startsWith('unreadable: ')
}

/** Whether two entries are equal, whatever the order of their members. */
export function isSame (a: LockedAdapter, b: LockedAdapter): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function inOrder (lock: Lock): [string, LockedAdapter][] {
  return [...lock].toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([adapter, { package: name, integrity, permissions }]) => [adapter, {
      package: name,
      integrity,
      permissions: sorted(permissions) as Permissions
    }])
}

/** Sorts the members of objects; arrays stay as they are. */
function sorted (value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object
    .fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1).map(
      ([name, member]) => [name, sorted(member)]
    ))
}
