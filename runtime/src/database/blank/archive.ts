import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../package-folder.ts'

/** The parts of migrations by which one list differs from another. */
type Migrations = readonly { name: string, class: { prototype: { up(): unknown } } }[]

const folder = new URL('blank-database/', packageFolder)

/** The path of the archive for the migrations of this hub. */
export async function findArchive (): Promise<string> {
  const { migrationsList } = await import('../migrations-list.ts')
  return archiveOf(migrationsList)
}

/**
 * Returns the path of the archive that holds a migrated database without rows. Its name says which
 * PGlite made it, and from which migrations: another PGlite cannot read it, and other migrations
 * leave another schema.
 */
export function archiveOf (migrations: Migrations): string {
  return fileURLToPath(new URL(`${stampOf(migrations)}.tar.gz`, folder))
}

function stampOf (migrations: Migrations): string {
  const hash = createHash('sha256')
  for (const { name, class: { prototype } } of migrations) hash.update(`${name} ${textOf(prototype.up)}\n`)
  return `pglite-${pgliteVersion()}-${hash.digest('hex').slice(0, 16)}`
}

const literals = /`[^`]*`|'[^']*'|"[^"]*"/g

/**
 * Returns the string literals of a migration: they hold its SQL. A compiler may change the rest.
 */
function textOf (up: () => unknown): string {
  return (String(up).match(literals) ?? []).map(literal => literal.slice(1, -1)).join('\n')
}

function pgliteVersion (): string {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  return (JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8')) as { version: string }).version
}
