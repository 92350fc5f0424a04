import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'

/** Remembers subjects without a fault between starts. */
export interface Checked {
  has(subject: unknown): boolean
  add(subject: unknown): void
}

/**
 * Keeps an empty file for each subject, named after everything that the result depends on: the
 * subject, and `checks`, the code that checked it. A folder that cannot be used is no error: the
 * subject is checked again.
 */
export function createChecked (folder: string, checks: string): Checked {
  const fileOf = (subject: unknown): string => {
    const digest = createHash('sha256').update(checks).update('\0').update(serialize(subject)).digest('hex')
    return join(folder, `checked-${digest}`)
  }
  return {
    has: subject => existsSync(fileOf(subject)),
    add (subject) {
      try {
        writeFileSync(fileOf(subject), '', { mode: 0o600 })
      } catch {
        // The next start checks it again.
      }
    }
  }
}

/**
 * Opens the memory in the folder where Node keeps compiled modules, which belongs to this version
 * of Node. Returns undefined when there is none, and in a checkout, where the code of the checks
 * can change at any time.
 */
export function openChecked (): Checked | undefined {
  const folder = getCompileCacheDir()
  const entry = fileURLToPath(import.meta.resolve('@linker/sdk/host'))
  if (folder === undefined || entry.endsWith('.ts')) return undefined
  // The built entry names its chunks, and their names are digests of the whole code.
  return createChecked(folder, readFileSync(entry, 'utf8'))
}
